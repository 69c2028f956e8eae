package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What a NameNode under test knows about its links. Hadoop's suites run once with each: what they
 * demand must hold whatever the links do.
 */
public enum LinkState {
  /** No collector: the policy leaves every replica to HDFS. */
  NO_REPORTS,

  /** All links are equally busy. */
  EQUAL_REPORTS(25),

  /** Some links are busy, some idle, and some DataNodes do not report, which counts as full. */
  SKEWED_REPORTS(90, 10, LinkState.SILENT, 50);

  private static final int SILENT = 100;

  /**
   * Bytes per second. So little that a few of the suites' blocks, 1024 bytes each, fill a link and
   * the load of pending replicas has a say in what follows.
   */
  private static final long CAPACITY = 64 * 1024;

  /** Percent of the capacity: of the first host, the second, …, and again from the front. */
  private final int[] busy;

  LinkState(int... busy) {
    this.busy = busy;
  }

  /** One argument list for each state, as parameterized suites take them. */
  public static Iterable<Object[]> arguments() {
    return Arrays.stream(values()).map(state -> new Object[] {state}).toList();
  }

  boolean hasReports() {
    return busy.length > 0;
  }

  /**
   * A snapshot as the collector would publish it.
   *
   * @return empty without reports
   */
  Optional<PublishedSnapshot> snapshot(List<DatanodeDescriptor> datanodes) {
    if (!hasReports()) {
      return Optional.empty();
    }
    PlacementConfig config = config();
    long now = System.nanoTime();
    NetworkTree.Builder tree = NetworkTree.builder();
    HostLoad[] loads = new HostLoad[datanodes.size()];
    BitSet reporting = new BitSet(loads.length);
    for (int host = 0; host < loads.length; host++) {
      DatanodeDescriptor node = datanodes.get(host);
      tree.host(node.getDatanodeUuid(), node.getNetworkLocation(), CAPACITY);
      int percent = busy[host % busy.length];
      reporting.set(host, percent != SILENT);
      loads[host] =
          HostLoad.foreign(
              CAPACITY * percent / 100, Long.MAX_VALUE, now, now + TimeUnit.SECONDS.toNanos(1));
    }
    return Optional.of(
        new PublishedSnapshot(
            config,
            new LinkSnapshot(tree.build(), loads, config.algorithm(), host -> true, new Random()),
            ImmutableList.copyOf(datanodes),
            reporting,
            now));
  }

  /** As hdfs-site.xml has it: all blocks count, however small. */
  private static PlacementConfig config() {
    try {
      return PlacementConfig.from(new HdfsConfiguration());
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }
}
