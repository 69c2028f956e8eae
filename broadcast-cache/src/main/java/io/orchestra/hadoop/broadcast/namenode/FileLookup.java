package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;

/** What HDFS knows of a file. */
@FunctionalInterface
interface FileLookup {
  /** Why a file cannot come as a swarm; the message is a few words. */
  final class Unsuitable extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;

    /**
     * @param path of the file; empty if it has none any more
     */
    Unsuitable(String reason, String path) {
      super(reason);
      this.path = path;
    }

    String path() {
      return path;
    }
  }

  /**
   * The file that a block belongs to.
   *
   * @throws Unsuitable if the file is gone, has changed, is being written, or cannot come in pieces
   * @throws IOException if this NameNode does not answer in time
   */
  TrackedFile find(BlockKey block) throws Unsuitable, IOException;
}
