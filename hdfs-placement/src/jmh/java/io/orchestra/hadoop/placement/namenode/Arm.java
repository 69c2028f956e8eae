package io.orchestra.hadoop.placement.namenode;

/** What is compared: two policies of HDFS, and ours in several states of the links. */
public enum Arm {
  /** HDFS's default policy. */
  DEFAULT,

  /** HDFS's policy that takes the emptier of two DataNodes. */
  AVAILABLE_SPACE,

  /** Ours without a collector. */
  NO_SNAPSHOT,

  /**
   * Ours, equal loads, and a hundred snapshots a second: about as many choices with each as a busy
   * NameNode makes in one second.
   */
  EQUAL,

  /** The same with random loads. */
  SKEWED,

  /**
   * Random loads with the whole collector, reports and all, in step with real time: as in
   * production, but for a hundred times as many choices with each snapshot.
   */
  COLLECTED,

  /** One equal snapshot, and sixty copies or more pending on every link. */
  PENDING;

  boolean placesByTheNetwork() {
    return compareTo(NO_SNAPSHOT) > 0;
  }
}
