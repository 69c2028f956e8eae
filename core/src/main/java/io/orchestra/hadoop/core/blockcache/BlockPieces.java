package io.orchestra.hadoop.core.blockcache;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A block cut into pieces.
 *
 * @param blockLength bytes, at least one
 * @param pieceLength bytes of every piece but the last, which may be shorter
 */
public record BlockPieces(long blockLength, int pieceLength) {
  public BlockPieces {
    checkArgument(blockLength > 0, "a block of %s bytes", blockLength);
    checkArgument(pieceLength > 0, "pieces of %s bytes", pieceLength);
  }

  public int count() {
    return Math.toIntExact((blockLength + pieceLength - 1) / pieceLength);
  }

  /** Where {@code piece} starts in the block, bytes. */
  public long position(int piece) {
    return (long) piece * pieceLength;
  }

  /** Bytes of {@code piece}. */
  public int length(int piece) {
    return Math.toIntExact(Math.min(pieceLength, blockLength - position(piece)));
  }

  /** The piece that holds the byte at {@code position}. */
  public int at(long position) {
    return Math.toIntExact(position / pieceLength);
  }
}
