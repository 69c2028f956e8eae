package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** A collector to which every DataNode reports a random load, and a few blocks on their way. */
final class RandomReports {
  private static final int MOST_BLOCKS = 4;

  private final ClusterFixture cluster;
  private final Random random = new Random(2);
  private final ReportIntake intake;
  private final SnapshotPublisher publisher;
  private long sequence;

  RandomReports(ClusterFixture cluster) throws InvalidConfigurationException {
    this.cluster = cluster;
    PlacementConfig config = PlacementConfig.from(cluster.conf);
    intake = new ReportIntake(() -> config, System::nanoTime);
    publisher =
        new SnapshotPublisher(
            () -> cluster.nodes,
            DatanodeDescriptor::getNetworkLocation,
            intake,
            () -> config,
            cluster.state,
            System::nanoTime,
            random);
    // A report counts from DataNodes that the publisher has seen.
    publisher.run();
  }

  /** What the collector does in an interval. */
  void reportAndPublish() {
    sequence++;
    cluster.nodes.forEach(this::report);
    publish();
  }

  /** As above, with the reports that are there. */
  void publish() {
    publisher.run();
  }

  private void report(DatanodeDescriptor node) {
    long received = (long) (ClusterFixture.LINK * random.nextDouble());
    boolean taken =
        intake.accept(
            new LinkReport(
                node.getDatanodeUuid(),
                sequence,
                Duration.ofSeconds(1),
                received,
                0,
                (long) (received * random.nextDouble()),
                sources(),
                OptionalLong.of(ClusterFixture.LINK),
                OptionalLong.empty()),
            node.getIpAddr());
    if (!taken) {
      throw new IllegalStateException("The report of " + node + " was dropped");
    }
  }

  private List<String> sources() {
    return Stream.generate(() -> cluster.nodes.get(random.nextInt(cluster.nodes.size())))
        .limit(random.nextInt(MOST_BLOCKS + 1))
        .map(DatanodeDescriptor::getIpAddr)
        .toList();
  }
}
