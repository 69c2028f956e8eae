package io.orchestra.hadoop.core.blockcache;

/** What a {@link Filler} does about a read. */
public sealed interface Offer {
  /**
   * The block is on its way; pieces may be read as they come.
   *
   * @param lease closed by whoever takes the offer
   */
  record Filling(Lease lease) implements Offer {}

  /**
   * The read is left to HDFS.
   *
   * @param reason a few words, one of a small number: counted and shown
   */
  record Declined(String reason) implements Offer {}
}
