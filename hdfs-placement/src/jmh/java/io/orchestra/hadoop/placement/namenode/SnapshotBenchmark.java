package io.orchestra.hadoop.placement.namenode;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.Random;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a NameNode does once a second besides its work. */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@OutputTimeUnit(MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SnapshotBenchmark {
  private final ClusterFixture cluster = LargeCluster.create();
  private final Random random = new Random(3);
  private NetworkTree tree;
  private HostLoad[] loads;
  private RandomReports reports;

  @Setup
  public void start() throws InvalidConfigurationException {
    NetworkTree.Builder builder = NetworkTree.builder();
    for (DatanodeDescriptor node : cluster.nodes) {
      builder.host(node.getDatanodeUuid(), node.getNetworkLocation(), ClusterFixture.LINK);
    }
    tree = builder.build();
    loads =
        random
            .longs(tree.hosts(), 0, ClusterFixture.LINK)
            .mapToObj(rate -> HostLoad.foreign(rate, Long.MAX_VALUE, 1, 0))
            .toArray(HostLoad[]::new);
    reports = new RandomReports(cluster);
    reports.reportAndPublish();
  }

  /** Ranking and sorting alone. */
  @Benchmark
  public LinkSnapshot linkSnapshot() {
    return new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);
  }

  /** All that is done at once: DataNodes read, tree built, hosts ranked, snapshot published. */
  @Benchmark
  public void publish() {
    reports.publish();
  }

  /** The same, and the reports of all DataNodes, which in production come spread over a second. */
  @Benchmark
  public void reportAndPublish() {
    reports.reportAndPublish();
  }
}
