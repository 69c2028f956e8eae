package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.ProtocolHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
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

  /** What a host answers. */
  private InputStream answer(UnaryOperator<String> replyHash) throws IOException {
    host.createContext(
        "/answer",
        exchange -> {
          Headers headers = exchange.getResponseHeaders();
          ProtocolHeaders.addTo(headers::add);
          String hash =
              replyHash.apply(
                  exchange.getRequestHeaders().getFirst(SecureShuffleUtils.HTTP_HEADER_URL_HASH));
          if (hash != null) {
            headers.add(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH, hash);
          }
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write(new byte[4]);
          exchange.close();
        });
    URL url = new URL("http", "localhost", host.getAddress().getPort(), "/answer?a=b");
    return SignedRequest.send((HttpURLConnection) url.openConnection(), job.key());
  }

  private static String signed(String urlHash, SecretKey key) {
    return SecureShuffleUtils.generateHash(urlHash.getBytes(StandardCharsets.UTF_8), key);
  }

  @Test
  void aHostThatKnowsTheJobIsBelieved() throws IOException {
    assertThat(answer(hash -> signed(hash, job.key()))).hasBinaryContent(new byte[4]);
  }

  @Test
  void aHostThatDoesNotKnowTheJobIsNotBelieved() {
    SecretKey other =
        JobTokenSecretManager.createSecretKey("another".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> answer(hash -> signed(hash, other))).isInstanceOf(IOException.class);
  }

  @Test
  void aHostThatRepeatsWhatItWasSentIsNotBelieved() {
    assertThatThrownBy(() -> answer(hash -> hash)).isInstanceOf(IOException.class);
  }

  @Test
  void aHostThatDoesNotSignIsNotBelieved() {
    assertThatThrownBy(() -> answer(hash -> null)).hasMessageContaining("no reply hash");
  }

  @Test
  void aBusyHostIsNeverAskedAgainAtOnce() throws IOException {
    Map<String, Long> expected = Map.of("70", 70L, "0", 1000L, "-5", 1000L, "later", 1000L);

    for (Map.Entry<String, Long> each : expected.entrySet()) {
      assertThat(retryMillis(each.getKey())).isEqualTo(each.getValue());
    }
  }
}
