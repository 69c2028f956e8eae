package io.orchestra.hadoop.placement.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
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

  private static final int MOST_DROPPED = 10;

  private enum Answer {
    ACCEPTED,
    DROPPED,
    NONE
  }

  private final InetSocketAddress collector;
  private final LinkReportClient client;
  private final ExecutorService thread;
  private final AtomicReference<LinkReport> waiting = new AtomicReference<>();
  private volatile boolean closed;
  private Answer last;
  private int dropped;

  ReportSender(Configuration conf, InetSocketAddress collector, Duration timeLimit)
      throws IOException {
    this(
        conf,
        collector,
        timeLimit,
        new ThreadFactoryBuilder()
            .setNameFormat("orchestra-link-report-" + collector.getHostString())
            .setDaemon(true)
            .build());
  }

  @VisibleForTesting
  ReportSender(
      Configuration conf, InetSocketAddress collector, Duration timeLimit, ThreadFactory threads)
      throws IOException {
    this.collector = collector;
    client = new LinkReportClient(conf, collector, timeLimit);
    thread = Executors.newSingleThreadExecutor(threads);
  }

  void send(LinkReport report) {
    // INVARIANT: whoever puts the first report into the empty slot submits the one task that
    // empties it.
    if (waiting.getAndSet(report) == null) {
      try {
        thread.execute(this::sendWaiting);
      } catch (RuntimeException | Error e) {
        // As for want of a thread, which only the first one needs. The next report tries again.
        waiting.set(null);
        if (!closed) {
          tell(Answer.NONE, "this DataNode has no thread to ask it: " + e);
        }
      }
    }
  }

  private void sendWaiting() {
    try {
      boolean accepted = client.report(waiting.getAndSet(null));
      dropped = accepted ? 0 : dropped + 1;
      // A NameNode knows a DataNode that just registered a moment later.
      if (accepted || dropped == MOST_DROPPED) {
        tell(accepted ? Answer.ACCEPTED : Answer.DROPPED, "");
      }
    } catch (Throwable e) {
      dropped = 0;
      tell(Answer.NONE, e.toString());
    }
  }

  private synchronized void tell(Answer answer, String cause) {
    if (answer == last || closed) {
      return;
    }
    last = answer;
    switch (answer) {
      case ACCEPTED -> LOG.info("Reporting this DataNode's link to {}", collector);
      case DROPPED ->
          LOG.warn(
              "The collector at {} drops the reports of this DataNode; its log says why. This DataNode counts as"
                  + " fully loaded",
              collector);
      case NONE ->
          LOG.warn(
              "No collector of link reports answers at {}: {}. Trying on; HDFS is not affected",
              collector,
              cause);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.shutdownNow();
    client.close();
  }
}
