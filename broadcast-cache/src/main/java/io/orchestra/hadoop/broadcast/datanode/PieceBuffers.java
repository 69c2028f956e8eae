package io.orchestra.hadoop.broadcast.datanode;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Room for the pieces of one file that are arriving: as much as arrives at once, not as much as
 * there are neighbours. Safe for concurrent use.
 */
final class PieceBuffers {
  private final int pieceLength;
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /**
   * @param pieceLength bytes
   */
  PieceBuffers(int pieceLength) {
    this.pieceLength = pieceLength;
  }

  /** Room for one piece; {@link #giveBack} when it is not needed any more. */
  ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    return buffer == null ? ByteBuffer.allocate(pieceLength) : buffer.clear();
  }

  void giveBack(ByteBuffer buffer) {
    if (!closed) {
      free.add(buffer);
    }
  }

  /** Nothing comes any more. */
  void close() {
    closed = true;
    free.clear();
  }
}
