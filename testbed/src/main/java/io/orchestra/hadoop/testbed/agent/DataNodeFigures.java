package io.orchestra.hadoop.testbed.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLConnection;
import java.util.Map;
import java.util.TreeMap;

/** The metrics of this host's DataNode. */
final class DataNodeFigures {
  private static final int MILLIS = 10_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private DataNodeFigures() {}

  /**
   * The whole numbers of a metrics source, by {@code SOURCE.NAME}; none if there is no such one.
   */
  static Map<String, Long> read(String source) throws IOException {
    URLConnection jmx =
        URI.create(
                "http://%s:9864/jmx?qry=Hadoop:service=DataNode,name=%s"
                    .formatted(InetAddress.getLocalHost().getHostAddress(), source))
            .toURL()
            .openConnection();
    jmx.setConnectTimeout(MILLIS);
    jmx.setReadTimeout(MILLIS);
    try (InputStream answer = jmx.getInputStream()) {
      return parse(source, JSON.readTree(answer));
    }
  }

  static Map<String, Long> parse(String source, JsonNode answer) {
    Map<String, Long> figures = new TreeMap<>();
    answer
        .path("beans")
        .path(0)
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isIntegralNumber()) {
                figures.put(source + "." + field.getKey(), field.getValue().asLong());
              }
            });
    return figures;
  }
}
