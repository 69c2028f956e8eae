package io.orchestra.hadoop.core.daemon;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HttpServer2;

/**
 * What a part of a daemon sees and does, as JSON: {@code GET /orchestra/NAME} on the daemon's web
 * port.
 *
 * <p>A web server keeps the servlets that it was given, but the part may end before it and start
 * again, so a page that was {@linkplain #withdraw withdrawn} is there until somebody {@linkplain
 * #show shows} something else, and answers 404.
 */
public final class JsonPage extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Who may read a page. */
  public enum Readers {
    /** Those who may read {@code /jmx}. */
    INSTRUMENTATION {
      @Override
      boolean include(
          ServletContext context, HttpServletRequest request, HttpServletResponse response)
          throws IOException {
        return HttpServer2.isInstrumentationAccessAllowed(context, request, response);
      }
    },
    /**
     * Where Hadoop's service authorization is on, administrators; else everybody. For pages that
     * name files, users or jobs.
     */
    ADMINISTRATORS {
      @Override
      boolean include(
          ServletContext context, HttpServletRequest request, HttpServletResponse response)
          throws IOException {
        return HttpServer2.hasAdministratorAccess(context, request, response);
      }
    };

    /** Whether whoever asks is one of them; if not, the response says so already. */
    abstract boolean include(
        ServletContext context, HttpServletRequest request, HttpServletResponse response)
        throws IOException;
  }

  /** What a web server knows of one page. */
  private static final class Content {
    private final Readers readers;
    private volatile Optional<Supplier<?>> report = Optional.empty();

    Content(Readers readers) {
      this.readers = readers;
    }
  }

  /**
   * From now on the page is of this report; who may read it stays as it was first.
   *
   * @param name the last part of the path
   * @param report made anew for each request, of what Jackson can write
   */
  public static void show(HttpServer2 server, String name, Readers readers, Supplier<?> report) {
    String servlet = servlet(name);
    Content content = (Content) server.getAttribute(servlet);
    if (content == null) {
      content = new Content(readers);
      server.setAttribute(servlet, content);
      server.addInternalServlet(servlet, "/orchestra/" + name, JsonPage.class);
    }
    content.report = Optional.of(report);
  }

  /** There is nothing to show any more. Does nothing if the server has ended, or had no page. */
  public static void withdraw(HttpServer2 server, String name) {
    Content content = (Content) server.getAttribute(servlet(name));
    if (content != null) {
      content.report = Optional.empty();
    }
  }

  /** The servlet's name, and that of the attribute that holds its content. */
  private static String servlet(String name) {
    return "orchestra-" + name;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletContext context = getServletContext();
    Content content = (Content) context.getAttribute(getServletName());
    if (!content.readers.include(context, request, response)) {
      return;
    }
    Optional<Supplier<?>> report = content.report;
    if (report.isEmpty()) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "Nothing runs here that shows this");
      return;
    }
    response.setContentType("application/json; charset=utf-8");
    JSON.writeValue(response.getOutputStream(), report.get().get());
  }
}
