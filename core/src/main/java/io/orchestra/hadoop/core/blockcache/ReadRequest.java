package io.orchestra.hadoop.core.blockcache;

/**
 * A client of this host wants to read a block, and may.
 *
 * @param block it wants
 * @param visibleLength where in the block the read may end, bytes: at the end of the block, or of a
 *     positional read; the client's word
 * @param path of the file, as its HDFS client knows it; the client's word, not to be trusted
 * @param purpose of the read; the client's word
 * @param user of the client's process, as the kernel knows it
 */
public record ReadRequest(
    BlockKey block, long visibleLength, String path, Purpose purpose, String user) {

  /** Why somebody reads. */
  public enum Purpose {
    /** A NodeManager's localizer brings a file of the distributed cache. */
    LOCALIZATION,
    /** The path matches a pattern that an operator chose. */
    CHOSEN_PATH,
    /** A map task reads its input, which may have been brought here for it. */
    MAP_INPUT
  }
}
