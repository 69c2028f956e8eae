package io.orchestra.hadoop.placement.algorithm;

/** Ranks hosts by what their links can still bring; may only fall while replicas are placed. */
@FunctionalInterface
interface Ranking {

  /**
   * @param host the host a copy would go to
   * @param top the switch above it where the copy enters the host's path; the core for a copy from
   *     anywhere
   * @return the larger the better, at least 0
   */
  long rank(int host, int top);
}
