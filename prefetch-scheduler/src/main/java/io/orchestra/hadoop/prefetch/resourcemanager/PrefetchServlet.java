package io.orchestra.hadoop.prefetch.resourcemanager;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HttpServer2;

/**
 * {@code GET /orchestra/prefetch} on the ResourceManager's web port: what is foretold, what is
 * brought and what is not, and why, as JSON. It names jobs and hosts: where Hadoop's service
 * authorization is on, only for administrators.
 */
public final class PrefetchServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PATH = "/orchestra/prefetch";
  private static final String CURRENT = "orchestra.prefetch.report";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Servlets stay with their server. */
  private static final class Current {
    /** Of the scheduler that runs; null if none does. */
    private volatile Supplier<PrefetchReport> report;
  }

  /** A scheduler that starts anew takes the page of the one before. */
  static void install(HttpServer2 server, Supplier<PrefetchReport> report) {
    Current current = (Current) server.getAttribute(CURRENT);
    if (current == null) {
      current = new Current();
      server.setAttribute(CURRENT, current);
      server.addInternalServlet("orchestra-prefetch", PATH, PrefetchServlet.class);
    }
    current.report = report;
  }

  /**
   * The scheduler has ended; the next one starts after that. A server that ended first has no page.
   */
  static void remove(HttpServer2 server) {
    Current current = (Current) server.getAttribute(CURRENT);
    if (current != null) {
      current.report = null;
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletContext context = getServletContext();
    if (!HttpServer2.hasAdministratorAccess(context, request, response)) {
      return;
    }
    Current current = (Current) context.getAttribute(CURRENT);
    Supplier<PrefetchReport> report = current == null ? null : current.report;
    if (report == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "No prefetch scheduler runs here");
      return;
    }
    response.setContentType("application/json; charset=utf-8");
    JSON.writeValue(response.getOutputStream(), report.get());
  }
}
