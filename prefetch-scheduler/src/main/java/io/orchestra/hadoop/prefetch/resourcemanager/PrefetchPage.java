package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.daemon.JsonPage;
import java.io.Closeable;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.http.HttpServer2;

/**
 * Puts the report on the web server of a ResourceManager, which starts after its scheduler, and
 * ends before or after it. Safe for concurrent use.
 */
final class PrefetchPage implements Closeable {
  private static final String NAME = "prefetch";

  private final Supplier<Optional<HttpServer2>> server;
  private final Supplier<PrefetchReport> report;

  // Guarded by this.
  private Optional<HttpServer2> installed = Optional.empty();
  private boolean closed;

  PrefetchPage(Supplier<Optional<HttpServer2>> server, Supplier<PrefetchReport> report) {
    this.server = server;
    this.report = report;
  }

  /** Once the server is there. */
  synchronized void install() {
    if (installed.isEmpty() && !closed) {
      Optional<HttpServer2> found = server.get();
      // It names jobs and hosts.
      found.ifPresent(web -> JsonPage.show(web, NAME, JsonPage.Readers.ADMINISTRATORS, report));
      installed = found;
    }
  }

  /** There is no such page any more, until another scheduler has one. */
  @Override
  public synchronized void close() {
    closed = true;
    installed.ifPresent(web -> JsonPage.withdraw(web, NAME));
  }
}
