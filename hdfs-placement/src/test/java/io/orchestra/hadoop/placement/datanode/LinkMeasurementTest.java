package io.orchestra.hadoop.placement.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportServer;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.IdleDataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinkMeasurementTest {
  @TempDir Path link;
  private final List<LinkReport> reports = new CopyOnWriteArrayList<>();

  /** Where none leads to a link, it is the last of them that is said to be the trouble. */
  @Test
  void allNameNodesAreTriedAlthoughOneHasAnUnknownNameOrIsOnThisHost() {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("unknown", 8020);
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8020);

    assertThatThrownBy(() -> LinkMeasurement.towards(new LinkedHashSet<>(List.of(unknown, here))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leads to this host's loopback interface");
    assertThatThrownBy(() -> LinkMeasurement.towards(new LinkedHashSet<>(List.of(here, unknown))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the name unknown cannot be resolved");
  }

  /** A bond loses a member. */
  @Test
  void theSpeedOfTheLinkIsReadForEachReport() throws IOException, InvalidConfigurationException {
    write("statistics/rx_bytes", 0);
    write("statistics/tx_bytes", 0);
    write("speed", 2000);
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    // A path takes the place of the one below which interfaces are.
    conf.set("orchestra.placement.interface", link.toString());
    try (ProtocolServer collector =
            LinkReportServer.start(conf, new InetSocketAddress("127.0.0.1", 0), 1, reports::add);
        ReportSenders senders = new ReportSenders(conf, collector.port(), Duration.ofMinutes(1))) {
      LinkMeasurement measurement =
          new LinkMeasurement(new IdleDataNode(conf), PlacementConfig.from(conf), senders);
      measurement.run();
      measurement.run();
      awaitReports(1);
      write("speed", 1000);
      measurement.run();
      awaitReports(2);
    }

    assertThat(reports)
        .extracting(LinkReport::linkCapacity)
        .containsExactly(OptionalLong.of(250_000_000), OptionalLong.of(125_000_000));
  }

  private void awaitReports(int count) {
    await().atMost(Duration.ofSeconds(60)).until(() -> reports.size() == count);
  }

  private void write(String file, long number) throws IOException {
    Path path = link.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, number + "\n");
  }
}
