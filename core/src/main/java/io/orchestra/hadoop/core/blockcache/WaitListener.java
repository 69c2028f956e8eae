package io.orchestra.hadoop.core.blockcache;

/** Hears which pieces of a block readers wait for, on their threads. */
@FunctionalInterface
public interface WaitListener {
  /** A reader waits for a piece from now on. */
  default void awaited(int piece) {}

  /** A reader has waited for so long that it is worth some cost. */
  void urgent(int piece);

  /** The only reader has waited in vain, and reads what has not come from HDFS. */
  default void givenUp() {}
}
