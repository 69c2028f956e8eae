package io.orchestra.hadoop.integration.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import io.orchestra.hadoop.integration.Metrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataXceivers;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class PlacementMiniClusterIT {
  private static final String LOCKS = "org.apache.hadoop.hdfs.server.datanode.DataSetLockManager";
  private static final String CHOOSER = "io.orchestra.hadoop.placement.namenode.NetworkChooser";

  /** Of a cluster that a test before this one had. */
  @BeforeEach
  void nothingOfOursRunsAnyMore() {
    await().atMost(Duration.ofSeconds(60)).until(() -> threadsOfOurs().isEmpty());
  }

  @Test
  void everyRemoteReplicaIsPlacedByTheNetworkAndReadsBackAsWritten() throws IOException {
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      byte[] content = cluster.write("/file", 5 * (int) PlacementCluster.BLOCK + 17);

      assertThat(cluster.read("/file")).isEqualTo(content);
      // The writer is a DataNode's host: its own replica is local, or drawn among nodes of one
      // address.
      assertThat(cluster.picks("network")).isGreaterThanOrEqualTo(12);
      assertThat(cluster.picks("no-snapshot")).isZero();
      assertThat(cluster.picks("failure")).isZero();
      // The NameNode hears of some replicas a little later than the writer.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThatAllHaveThreeReplicasInTwoRacks(cluster, "/file"));
    }
  }

  private static void assertThatAllHaveThreeReplicasInTwoRacks(
      PlacementCluster cluster, String file) throws IOException {
    for (BlockLocation block :
        cluster.files().getFileBlockLocations(new Path(file), 0, Long.MAX_VALUE)) {
      Set<String> racks = new HashSet<>();
      for (String path : block.getTopologyPaths()) {
        racks.add(path.substring(0, path.lastIndexOf('/')));
      }
      assertThat(block.getHosts()).hasSize(3);
      assertThat(racks).hasSize(2);
    }
  }

  @Test
  void theServletAndTheMetricsTellWhatWasSeenAndDone() throws IOException {
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      cluster.write("/file", (int) PlacementCluster.BLOCK);
      JsonNode report = cluster.report();

      assertThat(report.path("enabled").asBoolean()).isTrue();
      assertThat(report.path("coverage").asDouble()).isEqualTo(1);
      assertThat(report.path("nodes")).hasSize(6);
      assertThat(report.path("racks")).hasSize(3);
      assertThat(report.path("reportsAccepted").asLong()).isPositive();
      long picks = 0;
      for (JsonNode node : report.path("nodes")) {
        assertThat(node.path("capacity").asLong()).isEqualTo(1_250_000_000L);
        assertThat(node.required("reportAgeMillis").asLong()).isBetween(0L, 30_000L);
        picks += node.path("picks").asLong();
      }
      assertThat(picks).isEqualTo(report.path("picks").path("network").asLong()).isPositive();
      assertThat(DefaultMetricsSystem.instance().getSource("OrchestraPlacement")).isNotNull();
    }
  }

  /** It would keep a lock for each, and whoever can connect may name them. */
  @Test
  void aDataNodeIsNotAskedForBlocksOfPoolsThatItDoesNotServe() throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(LOCKS));
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      DataNode datanode = cluster.daemons().getDataNodes().get(0);
      String own = cluster.daemons().getNamesystem().getBlockPoolId();
      assertThat(DataXceivers.length(datanode, own, 1)).isEmpty();
      assertThat(DataXceivers.length(datanode, "strangers", 1)).isEmpty();

      assertThat(log.getOutput()).doesNotContain("strangers");
    } finally {
      log.stopCapturing();
    }
  }

  @Test
  void whatFailsInOurPolicyIsPlacedByHdfsAndTheNameNodeTellsIt() throws IOException {
    Configuration conf = PlacementCluster.configuration();
    conf.set("dfs.net.topology.impl", BreakableTopology.class.getName());
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(CHOOSER));
    try (PlacementCluster cluster = PlacementCluster.start(conf)) {
      cluster.awaitReporting(6);
      BreakableTopology.BROKEN.set(true);
      byte[] during = cluster.write("/during", 2 * (int) PlacementCluster.BLOCK);

      assertThat(cluster.read("/during")).isEqualTo(during);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                for (BlockLocation block :
                    cluster.files().getFileBlockLocations(new Path("/during"), 0, Long.MAX_VALUE)) {
                  assertThat(block.getNames()).hasSize(3);
                }
              });
      assertThat(cluster.picks("network")).isZero();
      long failures = cluster.picks("failure");
      assertThat(failures).as("of two remote replicas of two blocks").isGreaterThanOrEqualTo(4);
      assertThat(Metrics.required("OrchestraPlacement", "ReplicasFailure")).isEqualTo(failures);
      assertThat(log.getOutput())
          .contains("Network-aware placement failed; HDFS places this replica")
          .contains("IllegalStateException: broken by the test");

      BreakableTopology.BROKEN.set(false);
      byte[] after = cluster.write("/after", 2 * (int) PlacementCluster.BLOCK);
      assertThat(cluster.read("/after")).isEqualTo(after);
      assertThat(cluster.picks("network")).isGreaterThanOrEqualTo(4);
      assertThat(cluster.picks("failure")).isEqualTo(failures);
    } finally {
      BreakableTopology.BROKEN.set(false);
      log.stopCapturing();
    }
  }

  @Test
  void aRestartedNameNodePlacesByTheNetworkAgain() throws IOException {
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      byte[] before = cluster.write("/before", (int) PlacementCluster.BLOCK);
      cluster.daemons().restartNameNode();
      byte[] during = cluster.write("/during", (int) PlacementCluster.BLOCK);
      cluster.awaitReporting(6);
      // A snapshot that was made before DataNodes told of their storage has none that gets a block.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                cluster.write("/after", (int) PlacementCluster.BLOCK);
                return cluster.picks("network") > 0;
              });
      long picks = cluster.picks("network");
      byte[] after = cluster.write("/after", (int) PlacementCluster.BLOCK);

      assertThat(cluster.picks("network")).isGreaterThan(picks);
      assertThat(cluster.read("/before")).isEqualTo(before);
      assertThat(cluster.read("/during")).isEqualTo(during);
      assertThat(cluster.read("/after")).isEqualTo(after);
    }
  }

  @Test
  void aStoppedDataNodeCountsAsFullAndIsBackWhenItIsBack() throws IOException {
    Configuration conf = PlacementCluster.configuration();
    conf.set("orchestra.placement.report.timeout", "3s");
    try (PlacementCluster cluster = PlacementCluster.start(conf)) {
      cluster.awaitReporting(6);
      DataNodeProperties stopped = cluster.daemons().stopDataNode(0);
      cluster.awaitReporting(5);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(cluster.report().path("nodes"))
                      .filteredOn(node -> !node.path("reporting").asBoolean())
                      .hasSize(1)
                      .allMatch(node -> node.required("share").asLong() == 0));
      assertThat(cluster.read(write(cluster, "/while-stopped"))).isNotEmpty();

      assertThat(cluster.daemons().restartDataNode(stopped)).isTrue();
      cluster.awaitReporting(6);
    }
  }

  @Test
  void reconfigurationToStockAndBackKeepsPlacing() throws IOException {
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      // What dfsadmin -reconfig does once it has read hdfs-site.xml again.
      var blocks = cluster.daemons().getNamesystem().getBlockManager();
      blocks.refreshBlockPlacementPolicy(new Configuration());
      cluster.write("/stock", (int) PlacementCluster.BLOCK);
      assertThat(cluster.picks("network")).isZero();

      blocks.refreshBlockPlacementPolicy(cluster.daemons().getConfiguration(0));
      cluster.write("/ours", (int) PlacementCluster.BLOCK);
      assertThat(cluster.picks("network")).isPositive();
    }
  }

  @Test
  void withBadSettingsAllDaemonsRunAsStock() throws IOException {
    Configuration conf = PlacementCluster.configuration();
    conf.set("orchestra.placement.report.interval", "soon");
    try (PlacementCluster cluster = PlacementCluster.start(conf)) {
      assertThat(cluster.read(write(cluster, "/file"))).isNotEmpty();
      assertThat(threadsOfOurs()).isEmpty();
    }
  }

  @Test
  void whenTheCollectorsPortIsTakenTheNameNodeRunsAsStock() throws IOException {
    Configuration conf = PlacementCluster.configuration();
    try (ServerSocket squatter = new ServerSocket(0)) {
      conf.setInt("orchestra.placement.collector.port", squatter.getLocalPort());
      try (PlacementCluster cluster = PlacementCluster.start(conf)) {
        assertThat(cluster.read(write(cluster, "/file"))).isNotEmpty();
        assertThat(threadsOfOurs()).doesNotContain("orchestra-link-snapshots");
      }
    }
  }

  @Test
  void erasureCodedFilesArePlacedByTheNetworkToo() throws IOException {
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      cluster.files().enableErasureCodingPolicy("RS-3-2-1024k");
      cluster.files().mkdirs(new Path("/coded"));
      cluster.files().setErasureCodingPolicy(new Path("/coded"), "RS-3-2-1024k");
      byte[] content = cluster.write("/coded/file", 3 * (int) PlacementCluster.BLOCK);

      assertThat(cluster.read("/coded/file")).isEqualTo(content);
      assertThat(cluster.picks("network")).isGreaterThanOrEqualTo(4);
      assertThat(cluster.picks("failure")).isZero();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(holders(cluster, "/coded/file"))
                      .as("one DataNode for each block of the group")
                      .hasSize(5));
    }
  }

  private static Set<String> holders(PlacementCluster cluster, String file) throws IOException {
    Set<String> hosts = new HashSet<>();
    for (BlockLocation block :
        cluster.files().getFileBlockLocations(new Path(file), 0, Long.MAX_VALUE)) {
      hosts.addAll(Set.of(block.getNames()));
    }
    return hosts;
  }

  @Test
  void aFloodOfReportsStopsNeitherWritesNorOtherReports() throws Exception {
    Configuration conf = PlacementCluster.configuration();
    try (PlacementCluster cluster = PlacementCluster.start(conf)) {
      cluster.awaitReporting(6);
      long before = cluster.report().path("reportsAccepted").asLong();
      InetSocketAddress collector =
          new InetSocketAddress("localhost", conf.getInt("orchestra.placement.collector.port", 0));
      try (LinkReportClient flood = new LinkReportClient(conf, collector, Duration.ofSeconds(60))) {
        for (int report = 0; report < 5000; report++) {
          assertThat(
                  flood.report(
                      new LinkReport(
                          "no DataNode",
                          report,
                          Duration.ofSeconds(1),
                          0,
                          0,
                          0,
                          List.of(),
                          OptionalLong.empty(),
                          OptionalLong.empty())))
              .isFalse();
        }
      }

      assertThat(cluster.read(write(cluster, "/file"))).isNotEmpty();
      assertThat(cluster.picks("network")).isPositive();
      assertThat(cluster.report().path("reportsRejected").asLong()).isGreaterThanOrEqualTo(5000);
      assertThat(cluster.report().path("reportsAccepted").asLong()).isGreaterThan(before);
      cluster.awaitReporting(6);
    }
  }

  @Test
  void nothingOfOursRunsWhenSwitchedOffOrAfterTheClusterEnded() throws IOException {
    Configuration conf = PlacementCluster.configuration();
    try (PlacementCluster cluster = PlacementCluster.start(conf)) {
      cluster.awaitReporting(6);
      assertThat(threadsOfOurs()).isNotEmpty();
    }
    nothingOfOursRunsAnyMore();

    Configuration off = PlacementCluster.configuration();
    off.setBoolean("orchestra.placement.enabled", false);
    try (PlacementCluster cluster = PlacementCluster.start(off)) {
      assertThat(cluster.read(write(cluster, "/file"))).isNotEmpty();
      assertThat(threadsOfOurs()).isEmpty();
    }
  }

  private static String write(PlacementCluster cluster, String path) throws IOException {
    cluster.write(path, (int) PlacementCluster.BLOCK);
    return path;
  }

  private static Set<String> threadsOfOurs() {
    Set<String> names = new HashSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("orchestra-")) {
        names.add(thread.getName());
      }
    }
    return names;
  }
}
