package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.http.HttpServer2;

/**
 * Puts the report on the web server of a ResourceManager, which starts after its scheduler, and
 * outlives it. Used by one thread.
 */
final class PrefetchPage {
  private final Supplier<Optional<HttpServer2>> server;
  private final Supplier<PrefetchReport> report;
  private boolean installed;

  PrefetchPage(Supplier<Optional<HttpServer2>> server, Supplier<PrefetchReport> report) {
    this.server = server;
    this.report = report;
  }

  /** Once the server is there. */
  void install() {
    if (!installed) {
      server
          .get()
          .ifPresent(
              found -> {
                PrefetchServlet.install(found, report);
                installed = true;
              });
    }
  }
}
