package io.orchestra.hadoop.placement.namenode;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeFixture;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one choice of three DataNodes costs a NameNode. The client is outside the cluster, so that
 * the policy chooses all three.
 */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@OutputTimeUnit(MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ChoiceBenchmark {
  private static final int REPLICAS = 3;

  /** Sixty copies on every link. */
  private static final int PENDING_CHOICES = 60_000;

  @Param public Arm arm;

  private final ClusterFixture cluster = LargeCluster.create();
  private final BlockStoragePolicy storagePolicy = ClusterFixture.hot();
  private final ScheduledExecutorService collector = Executors.newSingleThreadScheduledExecutor();
  private BlockPlacementPolicy policy = cluster.policy;

  @Setup
  public void start() throws InvalidConfigurationException {
    switch (arm) {
      case DEFAULT -> policy = initialized(new BlockPlacementPolicyDefault() {});
      case AVAILABLE_SPACE -> policy = initialized(new AvailableSpaceBlockPlacementPolicy());
      case NO_SNAPSHOT -> {}
      case EQUAL -> every(10, cluster::loaded);
      case SKEWED -> every(10, () -> cluster.loaded(randomRates()));
      case COLLECTED -> every(1000, new RandomReports(cluster)::reportAndPublish);
      case PENDING -> {
        cluster.loaded();
        for (int i = 0; i < PENDING_CHOICES; i++) {
          choose();
        }
      }
    }
  }

  private BlockPlacementPolicy initialized(BlockPlacementPolicy stock) {
    DatanodeFixture.initialize(stock, cluster.conf, cluster.topology);
    return stock;
  }

  private void every(long milliseconds, Runnable publish) {
    publish.run();
    var unused = collector.scheduleAtFixedRate(publish, milliseconds, milliseconds, MILLISECONDS);
  }

  private long[] randomRates() {
    return cluster.random.longs(cluster.nodes.size(), 0, ClusterFixture.LINK).toArray();
  }

  @TearDown
  public void stop() {
    collector.shutdownNow();
    if (cluster.state.total(Outcome.NETWORK) > 0 != arm.placesByTheNetwork()
        || cluster.state.total(Outcome.FAILURE) > 0) {
      throw new IllegalStateException("Not what was to be measured: " + arm);
    }
  }

  @Benchmark
  @Threads(1)
  public DatanodeStorageInfo[] oneThread() {
    return choose();
  }

  @Benchmark
  @Threads(4)
  public DatanodeStorageInfo[] fourThreads() {
    return choose();
  }

  private DatanodeStorageInfo[] choose() {
    return policy.chooseTarget(
        "/file",
        REPLICAS,
        null,
        new ArrayList<>(),
        false,
        new HashSet<>(),
        ClusterFixture.BLOCK,
        storagePolicy,
        EnumSet.noneOf(AddBlockFlag.class));
  }
}
