package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.BitSet;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * A snapshot of the links together with the DataNodes its host numbers stand for.
 *
 * @param links loads and scores
 * @param datanodes by host number
 * @param reporting the hosts whose measurement is recent; the others count as fully loaded
 * @param published when, on the clock of {@link System#nanoTime}
 */
record PublishedSnapshot(
    LinkSnapshot links,
    ImmutableList<DatanodeDescriptor> datanodes,
    BitSet reporting,
    long published) {

  /** Fraction of the live DataNodes that report; 0 when there are none. */
  double coverage() {
    return datanodes.isEmpty() ? 0 : (double) reporting.cardinality() / datanodes.size();
  }
}
