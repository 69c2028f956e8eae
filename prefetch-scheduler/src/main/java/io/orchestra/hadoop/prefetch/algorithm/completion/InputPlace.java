package io.orchestra.hadoop.prefetch.algorithm.completion;

/** Where a map reads its input: what it takes depends on it where links are slower than disks. */
public enum InputPlace {
  /** On its own host. */
  HERE,
  /** On another one, unless somebody brought it. */
  ELSEWHERE;

  InputPlace other() {
    return this == HERE ? ELSEWHERE : HERE;
  }
}
