package io.orchestra.hadoop.core.blockcache;

/** Brings blocks into the cache of a DataNode because somebody wants to read them. */
@FunctionalInterface
public interface Filler {
  /**
   * Asked when a reader with a valid block token wants a block that is not in the cache. Called on
   * the reader's thread, which waits: answers soon or declines.
   *
   * @throws InterruptedException if the cache is closed meanwhile
   */
  Offer offer(ReadRequest request) throws InterruptedException;
}
