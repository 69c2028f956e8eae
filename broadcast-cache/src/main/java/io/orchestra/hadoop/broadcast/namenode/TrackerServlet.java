package io.orchestra.hadoop.broadcast.namenode;

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
 * {@code GET /orchestra/broadcast} on the NameNode's web port: swarms, peers, and why swarms were
 * not used, as JSON. It names files: where Hadoop's service authorization is on, only for
 * administrators.
 */
public final class TrackerServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PATH = "/orchestra/broadcast";
  private static final String REPORT = "orchestra.broadcast.report";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  static void install(HttpServer2 server, Supplier<TrackerReport> report) {
    server.setAttribute(REPORT, report);
    server.addInternalServlet("orchestra-broadcast", PATH, TrackerServlet.class);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletContext context = getServletContext();
    if (!HttpServer2.hasAdministratorAccess(context, request, response)) {
      return;
    }
    Supplier<?> report = (Supplier<?>) context.getAttribute(REPORT);
    response.setContentType("application/json; charset=utf-8");
    JSON.writeValue(response.getOutputStream(), report.get());
  }
}
