package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.JsonPage;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A ResourceManager's web server stays when it becomes standby, and active again. */
final class PrefetchPageTest {
  private final RealScheduler real =
      new RealScheduler(
          FairScheduler.class,
          "<?xml version=\"1.0\"?><allocations><queue name=\"q\"/></allocations>",
          Map.of("orchestra.prefetch.interval", "100ms"));
  private HttpServer2 web;

  @BeforeEach
  void serve() throws IOException {
    // There are pages of this name in the jars of YARN.
    web =
        new HttpServer2.Builder()
            .setName("cluster")
            .addEndpoint(URI.create("http://localhost:0"))
            .setConf(new Configuration())
            .build();
    web.start();
  }

  @AfterEach
  void stop() throws Exception {
    web.stop();
    real.close();
  }

  @Test
  void itTellsOfTheCoordinatorThatRunsAndOfNoneThatHasEnded() throws Exception {
    assertThat(status()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
    Coordinator first = coordinator(() -> Optional.of(web));
    await().until(() -> status() == HttpURLConnection.HTTP_OK);
    assertThat(new ObjectMapper().readTree(page()).required("daemons")).isEmpty();

    first.close();
    assertThat(status()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);

    try (Coordinator second = coordinator(() -> Optional.of(web))) {
      await().until(() -> status() == HttpURLConnection.HTTP_OK);
      assertThat(second.report().daemons()).isEmpty();
    }
    assertThat(status()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
  }

  @Test
  void aWebServerThatEndsFirstTakesItsPageAlong() throws Exception {
    try (Coordinator unused = coordinator(() -> Optional.of(web))) {
      await().until(() -> status() == HttpURLConnection.HTTP_OK);
      web.stop();

      assertThatCode(() -> JsonPage.withdraw(web, "prefetch")).doesNotThrowAnyException();
    }
  }

  @Test
  void aWebServerThatTakesNoPageKeepsNothingFromBeingBrought() throws Exception {
    try (Coordinator coordinator =
        coordinator(
            () -> {
              throw new IllegalStateException("made up");
            })) {
      synchronized (coordinator.prefetching()) {
        await().until(PrefetchPageTest::isPrefetching);
      }
    }
  }

  private static boolean isPrefetching() {
    return Thread.getAllStackTraces().values().stream()
        .filter(trace -> trace.length > 0)
        .map(trace -> trace[0])
        .anyMatch(
            frame ->
                frame.getClassName().equals(Prefetching.class.getName())
                    && frame.getMethodName().equals("foretold"));
  }

  private Coordinator coordinator(Supplier<Optional<HttpServer2>> server)
      throws InvalidConfigurationException, IOException {
    Configuration conf = real.scheduler().getConfig();
    return Coordinator.start(
        real.scheduler(),
        new ReentrantLock(),
        conf,
        PrefetchConfig.from(conf),
        real.tokens(),
        () -> true,
        UnaryOperator.identity(),
        server);
  }

  private URL page() throws IOException {
    return new URL(
        "http://localhost:%d/orchestra/prefetch".formatted(web.getConnectorAddress(0).getPort()));
  }

  private int status() {
    try {
      return ((HttpURLConnection) page().openConnection()).getResponseCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
