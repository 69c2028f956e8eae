package io.orchestra.hadoop.placement.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportServer;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

final class ReportSenderTest {
  private static final int ROUND = 12;

  /** As when its NameNode has started again. Whoever reads the log must not look for a dead one. */
  @Test
  void aCollectorThatDropsReportsIsToldOfAgainAfterItWasAway() throws IOException {
    Configuration conf = new Configuration();
    AtomicInteger heard = new AtomicInteger();
    try (Lines log = new Lines();
        ProtocolServer collector =
            LinkReportServer.start(
                conf,
                new InetSocketAddress("127.0.0.1", 0),
                1,
                report -> {
                  if (heard.incrementAndGet() == ROUND + 1) {
                    throw new IOException("away");
                  }
                  return false;
                });
        ReportSender sender =
            new ReportSender(
                conf,
                new InetSocketAddress("127.0.0.1", collector.port()),
                Duration.ofMinutes(1))) {
      for (int report = 1; report <= 2 * ROUND + 1; report++) {
        sender.send(report(report));
        int sent = report;
        await().atMost(Duration.ofSeconds(60)).until(() -> heard.get() == sent);
      }

      await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(log.lines).hasSize(3));
      assertThat(log.lines.get(0)).contains("drops the reports of this DataNode");
      assertThat(log.lines.get(1)).startsWith("No collector of link reports answers");
      assertThat(log.lines.get(2)).isEqualTo(log.lines.get(0));
    }
  }

  /** As where the system has no thread to give for a while. */
  @Test
  void aThreadThatCannotBeMadeIsTriedAgainWithTheNextReport() throws IOException {
    Configuration conf = new Configuration();
    AtomicInteger heard = new AtomicInteger();
    AtomicBoolean isShort = new AtomicBoolean(true);
    try (Lines log = new Lines();
        ProtocolServer collector =
            LinkReportServer.start(
                conf,
                new InetSocketAddress("127.0.0.1", 0),
                1,
                report -> {
                  heard.incrementAndGet();
                  return true;
                });
        ReportSender sender =
            new ReportSender(
                conf,
                new InetSocketAddress("127.0.0.1", collector.port()),
                Duration.ofMinutes(1),
                task -> {
                  if (isShort.get()) {
                    throw new OutOfMemoryError("made up");
                  }
                  return new Thread(task);
                })) {
      sender.send(report(1));
      sender.send(report(2));
      assertThat(log.lines).singleElement().asString().contains("OutOfMemoryError: made up");
      isShort.set(false);
      sender.send(report(3));

      await().atMost(Duration.ofSeconds(60)).until(() -> heard.get() == 1);
    }
  }

  private static LinkReport report(int sequence) {
    return new LinkReport(
        "uuid-1",
        sequence,
        Duration.ofSeconds(1),
        0,
        0,
        0,
        List.of(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** What the sender logs. */
  private static final class Lines extends AppenderSkeleton implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(ReportSender.class);

    Lines() {
      logger.addAppender(this);
    }

    @Override
    protected void append(LoggingEvent event) {
      lines.add(event.getRenderedMessage());
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {
      logger.removeAppender(this);
    }
  }
}
