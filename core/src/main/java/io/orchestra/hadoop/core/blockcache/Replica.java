package io.orchestra.hadoop.core.blockcache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A finished replica of a block. */
public interface Replica {
  /** Bytes in order. */
  interface Bytes extends Closeable {
    /**
     * @throws IOException if they do not come
     */
    void readFully(ByteBuffer target) throws IOException;
  }

  /**
   * The checksums of its pieces.
   *
   * @throws IOException if it has none that can be composed into those of these pieces, or the
   *     block has another length
   */
  PieceSums sums(BlockPieces pieces) throws IOException;

  /**
   * Its bytes, which nobody verifies but whoever has the {@link #sums}.
   *
   * @param position of the first byte
   * @param length bytes
   */
  Bytes open(long position, long length) throws IOException;

  /**
   * Some of its bytes are wrong by checksums that may be another replica's. They will be read
   * again, by another thread: if they are wrong by its own as well, the NameNode is told. What
   * comes from elsewhere in their place would hide that from HDFS's clients, who tell it otherwise.
   *
   * @param position of the first byte
   * @param length bytes
   */
  void doubt(long position, long length);
}
