package io.orchestra.hadoop.placement.namenode;

import java.util.Locale;

/** How one replica that the policy was asked for came to its place. */
public enum Outcome {
  /** Chosen here, behind the least loaded links. */
  NETWORK("placed behind the least loaded links"),
  /** HDFS chose: the block is too small to matter, or of unknown size. */
  SMALL_BLOCK("left to HDFS: block size below orchestra.placement.min-block-size"),
  /** HDFS chose: the client could not use what it was given. */
  CHOSEN_AGAIN("left to HDFS: the client could not use the DataNodes it was given before"),
  /** HDFS chose: no snapshot, or an old one. */
  NO_SNAPSHOT("left to HDFS: no recent snapshot of the links; is the collector running?"),
  /** HDFS chose: too few DataNodes report. */
  LOW_COVERAGE("left to HDFS: fewer DataNodes report than orchestra.placement.min-coverage"),
  /** HDFS chose: the part of the topology asked for is not in the snapshot. */
  UNKNOWN_SCOPE(
      "left to HDFS: a rack without known DataNodes, such as that of a client outside the cluster"),
  /** HDFS chose: no candidate passed HDFS's own conditions. */
  NO_CANDIDATE(
      "left to HDFS: no known DataNode of that rack or scope passed HDFS's own conditions"),
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
