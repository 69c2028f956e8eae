package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/** Gives a block of zeros. What happens meanwhile is what a test says. */
abstract class ZeroReplica implements Replica {
  /** Somebody asks for what begins here. */
  void opened(long position) throws IOException {}

  /**
   * Before bytes are given.
   *
   * @param given bytes since it was opened
   */
  void reading(int given) throws IOException {}

  /** Zeros, if this is not overridden. */
  void give(ByteBuffer target) {
    target.position(target.limit());
  }

  @Override
  public final PieceSums sums(BlockPieces pieces) {
    int[] sums =
        IntStream.range(0, pieces.count())
            .map(piece -> PieceSums.Kind.CRC32.of(ByteBuffer.allocate(pieces.length(piece))))
            .toArray();
    return new PieceSums(PieceSums.Kind.CRC32, pieces, sums);
  }

  @Override
  public final Bytes open(long position, long length) throws IOException {
    opened(position);
    return new Bytes() {
      private int given;

      @Override
      public void readFully(ByteBuffer target) throws IOException {
        reading(given);
        given += target.remaining();
        give(target);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void doubt(long position, long length) {}
}
