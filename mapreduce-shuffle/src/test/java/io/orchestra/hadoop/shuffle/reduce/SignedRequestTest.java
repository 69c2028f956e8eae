package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SignedRequestTest {
  private final ShuffledJob job = new ShuffledJob(Path.of("unused"));
  private HttpServer host;

  @BeforeEach
  void listen() throws IOException {
    host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    host.start();
  }

  @AfterEach
  void close() {
    host.stop(0);
  }

  /** When a busy host that says so is asked again. */
  private long retryMillis(String said) throws IOException {
    host.createContext(
        "/" + said,
        exchange -> {
          exchange.getResponseHeaders().add("Retry-After", said);
          exchange.sendResponseHeaders(429, -1);
          exchange.close();
        });
    URL url = new URL("http", "localhost", host.getAddress().getPort(), "/%s?a=b".formatted(said));
    BusyHostException busy =
        catchThrowableOfType(
            BusyHostException.class,
            () -> SignedRequest.send((HttpURLConnection) url.openConnection(), job.key()));
    return busy.retryMillis();
  }

  @Test
  void aBusyHostIsNeverAskedAgainAtOnce() throws IOException {
    Map<String, Long> expected = Map.of("70", 70L, "0", 1000L, "-5", 1000L, "later", 1000L);

    for (Map.Entry<String, Long> each : expected.entrySet()) {
      assertThat(retryMillis(each.getKey())).isEqualTo(each.getValue());
    }
  }
}
