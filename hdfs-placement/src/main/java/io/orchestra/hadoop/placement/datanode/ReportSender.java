package io.orchestra.hadoop.placement.datanode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reports to one NameNode's collector. Never blocks the caller: while one report is under way
 * only the newest other one waits, so a NameNode that is down or slow costs neither memory nor the
 * other NameNodes' reports.
 */
final class ReportSender implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportSender.class);

  private final InetSocketAddress collector;
  private final LinkReportClient client;
  private final ExecutorService thread;
  private final AtomicReference<LinkReport> waiting = new AtomicReference<>();
  private boolean known;
  private boolean reachable;

  ReportSender(Configuration conf, InetSocketAddress collector, Duration timeLimit)
      throws IOException {
    this.collector = collector;
    client = new LinkReportClient(conf, collector, timeLimit);
    thread =
        Executors.newSingleThreadExecutor(
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-link-report-" + collector.getHostString())
                .setDaemon(true)
                .build());
  }

  void send(LinkReport report) {
    // INVARIANT: whoever puts the first report into the empty slot submits the one task that
    // empties it.
    if (waiting.getAndSet(report) == null) {
      thread.execute(this::sendWaiting);
    }
  }

  private void sendWaiting() {
    LinkReport report = waiting.getAndSet(null);
    try {
      client.report(report);
      tell(true, null);
    } catch (IOException | RuntimeException | LinkageError e) {
      tell(false, e);
    }
  }

  private void tell(boolean nowReachable, Throwable cause) {
    if (known && reachable == nowReachable) {
      return;
    }
    known = true;
    reachable = nowReachable;
    if (reachable) {
      LOG.info("Reporting this DataNode's link to {}", collector);
    } else {
      LOG.warn(
          "No collector of link reports answers at {}: {}. Trying on; HDFS is not affected",
          collector,
          cause.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
