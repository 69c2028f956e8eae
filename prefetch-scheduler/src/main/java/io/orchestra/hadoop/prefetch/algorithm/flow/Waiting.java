package io.orchestra.hadoop.prefetch.algorithm.flow;

/** What a need waits for that could begin. */
public enum Waiting {
  /** Others have the links that it needs, and go before it. */
  TURN,
  /** It has not been foretold on this host for long enough. */
  STEADINESS,
  /** Its host has had no room for a block of its job a short while ago. */
  ROOM
}
