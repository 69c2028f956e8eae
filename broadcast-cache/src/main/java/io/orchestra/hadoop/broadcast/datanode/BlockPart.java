package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntConsumer;

/** What this host has of one block. */
interface BlockPart extends Closeable {
  /**
   * Tells {@code listener} of each piece that comes from now on.
   *
   * @return the pieces that are here
   */
  BitSet listen(IntConsumer listener);

  boolean has(int piece);

  void send(int piece, PieceSink sink) throws IOException;

  /** Checksums, if this host has them from HDFS itself and not from others. */
  Optional<PieceSums> ownSums();

  @Override
  void close();
}
