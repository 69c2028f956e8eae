package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockPieces;
import java.util.BitSet;

/**
 * Which pieces of a block one prefetch has brought, and which were read in its time: the block may
 * have been in the cache before, brought and read by others. Safe for concurrent use.
 */
final class PieceUse {
  private final BlockPieces pieces;

  // Guarded by this.
  private final BitSet brought = new BitSet();
  private final BitSet read = new BitSet();

  PieceUse(BlockPieces pieces) {
    this.pieces = pieces;
  }

  synchronized void brought(int piece) {
    brought.set(piece);
  }

  synchronized void read(int piece) {
    read.set(piece);
  }

  /** Whether all of the block has been read. */
  synchronized boolean isRead() {
    return read.cardinality() == pieces.count();
  }

  synchronized long bytesBrought() {
    return bytes(brought);
  }

  /** Bytes that were brought and read, each of them counted once. */
  synchronized long bytesUsed() {
    BitSet used = (BitSet) brought.clone();
    used.and(read);
    return bytes(used);
  }

  private long bytes(BitSet some) {
    return some.stream().mapToLong(pieces::length).sum();
  }
}
