package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import io.orchestra.hadoop.placement.algorithm.Placement;
import io.orchestra.hadoop.placement.algorithm.Scope;
import io.orchestra.hadoop.placement.algorithm.UnansweredPlacements;
import io.orchestra.hadoop.placement.namenode.NetworkChooser.Placed;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeFixture;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SnapshotPublisherTest {
  private static final long SECOND = 1_000_000_000;

  private final ClusterFixture cluster = ClusterFixture.of(6, 3).started();
  // After the first tick the real time: the policy asks how old a snapshot is, and says when it
  // placed.
  private final AtomicLong now = new AtomicLong(System.nanoTime() - SECOND);
  private PlacementConfig config;
  private ReportIntake intake;
  private SnapshotPublisher publisher;
  private long sequence;

  @BeforeEach
  void collect() throws InvalidConfigurationException {
    cluster.conf.set("orchestra.placement.smoothing", "1");
    config = PlacementConfig.from(cluster.conf);
    intake = new ReportIntake(() -> config, now::get);
    publisher =
        new SnapshotPublisher(
            () -> cluster.nodes,
            DatanodeDescriptor::getNetworkLocation,
            intake,
            () -> config,
            cluster.state,
            now::get,
            new Random(1));
    publisher.run();
  }

  /** After three seconds, as by default. */
  private void forgetSoon() throws InvalidConfigurationException {
    cluster.conf.set("orchestra.placement.report.timeout", "3s");
    config = PlacementConfig.from(cluster.conf);
  }

  @Test
  void aDataNodeThatDoesNotReportIsFullyLoaded() {
    tick(0, 1, 2, 3, 4);

    PublishedSnapshot snapshot = snapshot();
    assertThat(snapshot.coverage()).isEqualTo(5.0 / 6);
    assertThat(snapshot.isReporting(5)).isFalse();
    assertThat(snapshot.links().residual(5)).isZero();
    assertThat(snapshot.links().residual(4)).isEqualTo(ClusterFixture.LINK);
  }

  @Test
  void aDataNodeThatFellSilentIsFullAgain() throws InvalidConfigurationException {
    forgetSoon();
    tick(0, 1, 2, 3, 4, 5);
    for (int second = 0; second < 4; second++) {
      tick(0, 1, 2, 3, 4);
    }

    assertThat(snapshot().isReporting(5)).isFalse();
    assertThat(snapshot().links().residual(5)).isZero();
  }

  @Test
  void pendingLoadLastsUntilTheNextReportOfTheSameDataNode() {
    tick(0, 1, 2, 3, 4, 5);
    List<DatanodeDescriptor> chosen = cluster.choose(1, null);
    int host = cluster.nodes.indexOf(chosen.get(0));
    assertThat(snapshot().links().pending(host)).isPositive();

    publisher.run();
    assertThat(snapshot().links().pending(host)).isPositive();
    // However long it took to choose, the report is of a later time.
    now.set(System.nanoTime());
    tick(host);
    assertThat(snapshot().links().pending(host)).isZero();
  }

  @Test
  void whatNobodyWritesIsTakenBackFromTheSnapshotThatTookItOver() {
    tick(0, 1, 2, 3, 4, 5);
    LinkSnapshot links = snapshot().links();
    Scope everywhere = Scope.everywhere(links.tree());
    Placement load = links.place(0, everywhere, ClusterFixture.BLOCK, now.get());
    publisher.run();
    assertThat(snapshot().links()).isNotSameAs(links);
    assertThat(snapshot().links().pending(0)).isPositive();

    cluster.state.takeBack(new Placed(cluster.nodes.get(0), links, load));

    assertThat(snapshot().links().pending(0)).isZero();
    assertThat(snapshot().links().copies(0)).isZero();
  }

  @Test
  void aDataNodeThatTakesNothingIsNotChosenUntilItIsTrustedAgain()
      throws InvalidConfigurationException {
    cluster.state.expectClient("uuid-0", now.get());
    for (int second = 0; second < 11; second++) {
      tick(0, 1, 2, 3, 4, 5);
    }
    for (int block = 0; block < 50; block++) {
      assertThat(cluster.choose(1, null)).doesNotContain(cluster.nodes.get(0));
    }

    forgetSoon();
    now.addAndGet(61 * SECOND);
    cluster.conf.set("orchestra.placement.min-coverage", "0");
    config = PlacementConfig.from(cluster.conf);
    // All others are silent now, hence full.
    tick(0);
    assertThat(cluster.choose(1, null)).containsExactly(cluster.nodes.get(0));
  }

  /** That so many data ports are dead at once is less likely than clients that write nothing. */
  @Test
  void manyDataNodesThatTakeNothingArePreferredAllTheSame() {
    cluster.state.expectClient("uuid-0", now.get());
    cluster.state.expectClient("uuid-1", now.get());
    for (int second = 0; second < 11; second++) {
      tick(0, 1, 2, 3, 4, 5);
    }

    assertThat(cluster.state.unanswered().isTrusted("uuid-0", now.get())).isFalse();
    assertThat(cluster.state.unanswered().isTrusted("uuid-1", now.get())).isFalse();
    Set<DatanodeDescriptor> chosen = new HashSet<>();
    for (int block = 0; block < 6; block++) {
      chosen.addAll(cluster.choose(1, null));
    }
    assertThat(chosen).hasSize(6);
  }

  @Test
  void aClientsBlockIsExpectedAndNothingElse() {
    tick(0, 1, 2, 3, 4, 5);
    Node writer = cluster.nodes.get(0);
    assertThat(expected(() -> cluster.choose(3, writer))).isEqualTo(2);

    // More replicas of a block: they wait for their turn on the DataNode that has it.
    List<DatanodeStorageInfo> there = List.of(cluster.nodes.get(0).getStorageInfos()[0]);
    assertThat(
            expected(
                () ->
                    cluster.choose(
                        2, writer, there, new HashSet<>(Set.of(writer)), ClusterFixture.hot())))
        .isZero();
  }

  @Test
  void besideFavoredNodesWhatIsKeptIsExpectedAndWhatIsThrownAwayIsNot() {
    tick(0, 1, 2, 3, 4, 5);
    assertThat(expected(() -> besideFirst(cluster, null, EnumSet.noneOf(AddBlockFlag.class))))
        .isEqualTo(2);

    // The only host that is neither favored nor the writer's is too few, and is thrown away.
    ClusterFixture small = ClusterFixture.of(3, 1).started().loaded();
    assertThat(besideFirst(small, small.nodes.get(1), EnumSet.of(AddBlockFlag.NO_LOCAL_WRITE)))
        .doesNotContain(small.nodes.get(2));
    assertThat(distrusted(small)).isZero();
  }

  /** For a block of three replicas whose favored node is the cluster's first. */
  private static List<DatanodeDescriptor> besideFirst(
      ClusterFixture cluster, Node writer, EnumSet<AddBlockFlag> flags) {
    return DatanodeFixture.chooseBesideFavoredNodes(
        cluster.policy,
        3,
        writer,
        List.of(cluster.nodes.get(0)),
        ClusterFixture.BLOCK,
        ClusterFixture.hot(),
        flags);
  }

  /** Of a short file some of the DataNodes of a group of stripes get nothing. */
  @Test
  void ofStripesNothingIsExpected() throws InvalidConfigurationException {
    ClusterFixture striped = ClusterFixture.of(PolicyKind.RACK_FAULT_TOLERANT, 9, 9).started();
    striped.loaded();
    assertThat(striped.choose(9, null)).hasSize(9);

    assertThat(striped.state.total(Outcome.NETWORK)).isPositive();
    assertThat(distrusted(striped)).isZero();
  }

  /** How many DataNodes lose trust if nobody writes to those that are chosen now. */
  private long expected(Supplier<List<DatanodeDescriptor>> choice) {
    long placed = cluster.state.total(Outcome.NETWORK);
    assertThat(choice.get()).isNotEmpty();
    assertThat(cluster.state.total(Outcome.NETWORK)).isGreaterThan(placed);
    return distrusted(cluster);
  }

  /** After a minute of nothing; all are trusted again when this returns. */
  private static long distrusted(ClusterFixture cluster) {
    UnansweredPlacements unanswered = cluster.state.unanswered();
    long start = System.nanoTime();
    long distrusted = 0;
    for (DatanodeDescriptor node : cluster.nodes) {
      String name = node.getDatanodeUuid();
      unanswered.observe(name, 0, OptionalDouble.of(0), false, start);
      for (int second = 1; second <= 20; second++) {
        distrusted +=
            unanswered.observe(name, 0, OptionalDouble.of(0), false, start + second * SECOND);
      }
      unanswered.observe(name, 1, OptionalDouble.of(0), false, start + 21 * SECOND);
    }
    return distrusted;
  }

  @Test
  void unusableDataNodesAreNoCandidatesButTheirLoadCounts() {
    DatanodeFixture.setRemaining(cluster.nodes.get(0), 0);
    cluster.nodes.get(3).startDecommission();
    tick(0, 1, 2, 3, 4, 5);

    assertThat(cluster.choose(3, null))
        .hasSize(3)
        .doesNotContain(cluster.nodes.get(0), cluster.nodes.get(3));
    assertThat(snapshot().size()).isEqualTo(6);
  }

  @Test
  void aDataNodeThatMovedToAnotherRackIsLeftAloneUntilTheNextSnapshot() {
    tick(0, 1, 2, 3, 4, 5);
    DatanodeDescriptor moved = cluster.nodes.get(3);
    cluster.topology.remove(moved);
    moved.setNetworkLocation("/r1");
    cluster.topology.add(moved);

    for (int block = 0; block < 50; block++) {
      List<DatanodeDescriptor> chosen = cluster.choose(2, cluster.nodes.get(1));
      assertThat(chosen).hasSize(2).doesNotContain(moved);
    }
  }

  @Test
  void aDataNodeWithoutARackDoesNotStopSnapshots() {
    // Hadoop writes the location "/" as the empty string.
    cluster.nodes.add(DatanodeFixture.datanode(6, ""));
    tick(0, 1, 2, 3, 4, 5);

    assertThat(snapshot().size()).isEqualTo(7);
  }

  @Test
  void settingsThatChangeTakeEffectWithTheNextSnapshot() throws InvalidConfigurationException {
    tick(0, 1, 2);
    assertThat(snapshot().isCovered()).isTrue();

    cluster.conf.set("orchestra.placement.min-coverage", "0.9");
    config = PlacementConfig.from(cluster.conf);
    tick(0, 1, 2);
    assertThat(snapshot().isCovered()).isFalse();

    cluster.conf.set("orchestra.placement.enabled", "false");
    config = PlacementConfig.from(cluster.conf);
    tick(0, 1, 2, 3, 4, 5);
    assertThat(cluster.state.snapshot()).isEmpty();

    cluster.conf.set("orchestra.placement.enabled", "true");
    config = PlacementConfig.from(cluster.conf);
    tick(0, 1, 2, 3, 4, 5);
    assertThat(snapshot().isCovered()).isTrue();
  }

  @Test
  void afterTheEndNothingIsPublished() {
    publisher.close();
    tick(0, 1, 2, 3, 4, 5);

    assertThat(cluster.state.snapshot()).isEmpty();
  }

  /** One second later; these hosts report idle links. */
  private void tick(int... reporters) {
    now.addAndGet(SECOND);
    sequence++;
    for (int host : reporters) {
      DatanodeDescriptor node = cluster.nodes.get(host);
      assertThat(
              intake.accept(
                  new LinkReport(
                      node.getDatanodeUuid(),
                      sequence,
                      Duration.ofSeconds(1),
                      0,
                      0,
                      0,
                      List.of(),
                      OptionalLong.of(ClusterFixture.LINK),
                      OptionalLong.empty()),
                  node.getIpAddr()))
          .isTrue();
    }
    publisher.run();
  }

  private PublishedSnapshot snapshot() {
    return cluster.state.snapshot().orElseThrow();
  }
}
