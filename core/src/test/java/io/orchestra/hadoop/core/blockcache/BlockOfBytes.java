package io.orchestra.hadoop.core.blockcache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** A block's bytes, the same for the same seed, and the sums of its pieces. */
record BlockOfBytes(byte[] bytes, BlockPieces pieces, PieceSums sums) {
  static BlockOfBytes random(int length, int pieceLength, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    BlockPieces pieces = new BlockPieces(length, pieceLength);
    int[] sums = new int[pieces.count()];
    for (int piece = 0; piece < sums.length; piece++) {
      sums[piece] = PieceSums.Kind.CRC32C.of(piece(bytes, pieces, piece));
    }
    return new BlockOfBytes(bytes, pieces, new PieceSums(PieceSums.Kind.CRC32C, pieces, sums));
  }

  ByteBuffer piece(int piece) {
    return piece(bytes, pieces, piece);
  }

  private static ByteBuffer piece(byte[] bytes, BlockPieces pieces, int piece) {
    int from = Math.toIntExact(pieces.position(piece));
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + pieces.length(piece)));
  }
}
