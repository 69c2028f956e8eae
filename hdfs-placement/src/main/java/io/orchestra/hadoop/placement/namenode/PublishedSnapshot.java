package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.BitSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementSteps;

/**
 * A snapshot of the links together with the DataNodes its host numbers stand for. Immutable but for
 * the load that is pending on the links.
 */
final class PublishedSnapshot {
  private final PlacementConfig config;
  private final LinkSnapshot links;
  private final ImmutableList<DatanodeDescriptor> datanodes;
  private final BitSet reporting;
  private final double coverage;
  private final long published;

  /** By host, and by the ordinal of the type. */
  private final long[][] largestRemaining;

  /**
   * @param config in force for choices made with this snapshot
   * @param links loads and ranks
   * @param datanodes by host number
   * @param reporting the hosts whose measurement is recent; the others count as fully loaded
   * @param published when, on the clock of {@link System#nanoTime}
   */
  PublishedSnapshot(
      PlacementConfig config,
      LinkSnapshot links,
      ImmutableList<DatanodeDescriptor> datanodes,
      BitSet reporting,
      long published) {
    this.config = config;
    this.links = links;
    this.datanodes = datanodes;
    this.reporting = reporting;
    this.published = published;
    coverage = datanodes.isEmpty() ? 0 : (double) reporting.cardinality() / datanodes.size();
    largestRemaining =
        datanodes.stream().map(PlacementSteps::largestRemaining).toArray(long[][]::new);
  }

  PlacementConfig config() {
    return config;
  }

  LinkSnapshot links() {
    return links;
  }

  int size() {
    return datanodes.size();
  }

  DatanodeDescriptor datanode(int host) {
    return datanodes.get(host);
  }

  /**
   * What the emptiest storage of a type had left on a host, bytes; negative if there is none. HDFS
   * puts a block where one storage has room for it: a DataNode may have much left, and none there.
   */
  long largestRemaining(int host, StorageType type) {
    return largestRemaining[host][type.ordinal()];
  }

  boolean isReporting(int host) {
    return reporting.get(host);
  }

  int reporting() {
    return reporting.cardinality();
  }

  /** Fraction of the live DataNodes that report; 0 when there are none. */
  double coverage() {
    return coverage;
  }

  boolean isCovered() {
    return coverage >= config.minCoverage();
  }

  /** On the clock of {@link System#nanoTime}. */
  long published() {
    return published;
  }

  /** False when the collector has published nothing for so long that it must have stopped. */
  boolean isRecent() {
    return System.nanoTime() - published <= config.reportTimeout().toNanos();
  }
}
