package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;

/** What HDFS knows of a file. */
@FunctionalInterface
interface FileLookup {
  /** Why a file cannot come as a swarm; the message is a few words. */
  final class Unsuitable extends Exception {
    private static final long serialVersionUID = 1L;

    Unsuitable(String reason) {
      super(reason);
    }
  }

  /**
   * @param path as a client told it
   * @param block that must be one of the file's
   * @throws Unsuitable if the file is gone, has changed, is being written, or is erasure-coded
   * @throws IOException if this NameNode does not answer clients
   */
  TrackedFile find(String path, BlockKey block) throws Unsuitable, IOException;
}
