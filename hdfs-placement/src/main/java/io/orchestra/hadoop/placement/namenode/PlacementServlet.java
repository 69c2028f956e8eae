package io.orchestra.hadoop.placement.namenode;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HttpServer2;

/**
 * {@code GET /orchestra/placement} on the NameNode's web port: what the policy sees and why it
 * chose, as JSON. Guarded as {@code /jmx} is.
 */
public final class PlacementServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PATH = "/orchestra/placement";
  private static final String REPORT = "orchestra.placement.report";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  static void install(HttpServer2 server, PlacementState state, ReportIntake intake) {
    server.setAttribute(REPORT, new PlacementReport.Source(state, intake));
    server.addInternalServlet("orchestra-placement", PATH, PlacementServlet.class);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ServletContext context = getServletContext();
    if (!HttpServer2.isInstrumentationAccessAllowed(context, request, response)) {
      return;
    }
    PlacementReport.Source source = (PlacementReport.Source) context.getAttribute(REPORT);
    response.setContentType("application/json; charset=utf-8");
    JSON.writeValue(response.getOutputStream(), source.report());
  }
}
