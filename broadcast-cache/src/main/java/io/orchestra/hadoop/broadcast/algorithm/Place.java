package io.orchestra.hadoop.broadcast.algorithm;

/** Where a receiver finds a neighbour. */
public enum Place {
  /** A receiver that is not behind a link that many share. */
  NEAR,
  /** Another receiver. */
  FAR,
  /** It has a replica of the file and is to be spared, wherever it is. */
  REPLICA
}
