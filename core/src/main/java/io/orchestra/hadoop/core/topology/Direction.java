package io.orchestra.hadoop.core.topology;

/** Which way data moves on the link that joins a node of the tree to its parent. */
public enum Direction {
  /** From the node towards the core. */
  UP,
  /** From the core towards the node. */
  DOWN
}
