package io.orchestra.hadoop.core.blockcache;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.util.DataChecksum;

/**
 * The checksum each piece of a block must have. They come from the checksums HDFS keeps beside a
 * replica, and find what those find: accidents on the way. Who means to can make other bytes that
 * have the same.
 *
 * @param kind of checksum, as the file's writer chose
 * @param pieces of the block
 * @param sums one for each piece; not copied, must not change
 */
public record PieceSums(Kind kind, BlockPieces pieces, int[] sums) {

  /** HDFS's checksums that can be composed into one for a piece. */
  public enum Kind {
    CRC32 {
      @Override
      Checksum start() {
        return new CRC32();
      }
    },
    CRC32C {
      @Override
      Checksum start() {
        return new CRC32C();
      }
    };

    abstract Checksum start();

    /**
     * @throws IOException if HDFS's checksums of this type cannot be composed
     */
    public static Kind of(DataChecksum.Type type) throws IOException {
      return switch (type) {
        case CRC32 -> CRC32;
        case CRC32C -> CRC32C;
        default -> throw new IOException("checksums of type %s cannot be composed".formatted(type));
      };
    }

    /** Of the remaining bytes of {@code data}, of which none is consumed. */
    public int of(ByteBuffer data) {
      Checksum checksum = start();
      checksum.update(data.duplicate());
      return (int) checksum.getValue();
    }
  }

  public PieceSums {
    checkArgument(
        sums.length == pieces.count(), "%s sums for %s pieces", sums.length, pieces.count());
  }

  /** Whether what {@code checksum}, one of this {@link Kind#start kind}, was made of is a piece. */
  boolean matches(int piece, Checksum checksum) {
    return (int) checksum.getValue() == sums[piece];
  }

  /** Whether the remaining bytes of {@code data} are those of {@code piece}. Consumes nothing. */
  public boolean matches(int piece, ByteBuffer data) {
    return data.remaining() == pieces.length(piece) && kind.of(data) == sums[piece];
  }
}
