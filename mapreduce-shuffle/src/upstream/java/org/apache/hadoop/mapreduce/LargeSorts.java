package org.apache.hadoop.mapreduce;

import org.apache.hadoop.mapred.MiniMRClientCluster;

/** A member of {@link TestLargeSort} that is visible only in this package. */
public final class LargeSorts {
  private LargeSorts() {}

  /** The test runs its jobs on this cluster, and stops it. */
  public static void use(TestLargeSort test, MiniMRClientCluster cluster) {
    test.cluster = cluster;
  }
}
