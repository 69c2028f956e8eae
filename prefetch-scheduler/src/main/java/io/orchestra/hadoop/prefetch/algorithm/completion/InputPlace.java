package io.orchestra.hadoop.prefetch.algorithm.completion;

/**
 * Whether a map's host is one of those that have its input. What it takes depends on that where
 * links are slower than disks, the less the more blocks are brought to it.
 */
public enum InputPlace {
  HERE,
  ELSEWHERE;

  InputPlace other() {
    return this == HERE ? ELSEWHERE : HERE;
  }
}
