package io.orchestra.hadoop.prefetch.algorithm.shadow;

/**
 * What became of a node that was offered.
 *
 * @param capability of the container that was allocated; null if there was none
 */
record Outcome(ResourceVector capability) {
  static final Outcome NOTHING = new Outcome(null);

  /** The node is kept free for a container that does not fit yet. */
  static final Outcome RESERVED = new Outcome(null);

  // Constants are told apart by identity.
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
