package io.orchestra.hadoop.placement.namenode;

import java.util.Locale;

/** How one replica that the policy was asked for came to its place. */
public enum Outcome {
  /** Chosen here, behind the least loaded links. */
  NETWORK("placed behind the least loaded links"),
  /** HDFS chose: the block is too small to matter, or of unknown size. */
  SMALL_BLOCK("left to HDFS: block smaller than orchestra.placement.min-block-size"),
  /** HDFS chose: no snapshot, or an old one. */
  NO_SNAPSHOT("left to HDFS: no recent snapshot of the links; is the collector running?"),
  /** HDFS chose: too few DataNodes report. */
  LOW_COVERAGE("left to HDFS: fewer DataNodes report than orchestra.placement.min-coverage"),
  /** HDFS chose: the part of the topology asked for is not in the snapshot. */
  UNKNOWN_SCOPE("left to HDFS: a rack that is not in the snapshot yet"),
  /** HDFS chose: no candidate passed HDFS's own conditions. */
  NO_CANDIDATE("left to HDFS: no candidate passed HDFS's own conditions"),
  /** HDFS chose: our code failed. */
  FAILURE("left to HDFS: the policy failed, see the log");

  private final String description;

  Outcome(String description) {
    this.description = description;
  }

  /** As it stands in JSON: {@code small-block}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String description() {
    return description;
  }
}
