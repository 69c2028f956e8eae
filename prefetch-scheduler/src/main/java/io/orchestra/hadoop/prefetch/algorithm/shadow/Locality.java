package io.orchestra.hadoop.prefetch.algorithm.shadow;

/** Where a container is, as seen from the replicas of its task's input. The nearest comes first. */
public enum Locality {
  NODE_LOCAL,
  RACK_LOCAL,
  OFF_SWITCH
}
