package io.orchestra.hadoop.broadcast.algorithm;

/** Who asks whom in a swarm. */
public enum Overlay {
  /** Every receiver asks many others, and all replicas: Cornet. */
  SWARM,
  /** Every receiver asks the one that came before it, the first one a replica. */
  CHAIN,
  /** Every receiver asks its parent in a binary tree, the root a replica. */
  TREE;

  /**
   * The one receiver that the receiver with number {@code rank} asks; -1 for a replica.
   *
   * @throws IllegalStateException for {@link #SWARM}
   */
  public int parent(int rank) {
    return switch (this) {
      case SWARM -> throw new IllegalStateException("a swarm has no parents");
      case CHAIN -> rank - 1;
      case TREE -> rank == 0 ? -1 : (rank - 1) / 2;
    };
  }
}
