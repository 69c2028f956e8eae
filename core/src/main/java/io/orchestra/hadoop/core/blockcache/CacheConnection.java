package io.orchestra.hadoop.core.blockcache;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.net.SocketInputStream;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** A client's end of the conversation with the block cache of its host, about one block. */
final class CacheConnection implements Closeable {
  /** The cache itself tells that a piece has not come; whoever is silent for longer is dead. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final int LONGEST_ANSWER = 1 << 20;

  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;

  private CacheConnection(SocketChannel channel, Duration limit) throws IOException {
    this.channel = channel;
    // Hadoop's stream refuses to read nothing.
    this.in = new BufferedInputStream(new SocketInputStream(channel, limit.toMillis()));
    this.out = new SocketOutputStream(channel, limit.toMillis());
  }

  /**
   * @param waitLimit of the cache while no piece comes
   */
  static CacheConnection connect(Path socket, Duration waitLimit) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    try {
      return new CacheConnection(channel, CachedBlock.longestWait(waitLimit).plus(GRACE));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @return empty if the cache leaves this block to HDFS
   */
  Optional<PieceSums> open(
      BlockKey block, long blockLength, byte[] token, String path, ReadRequest.Purpose purpose)
      throws IOException {
    OpenProto.newBuilder()
        .setBlockPool(block.pool())
        .setBlockId(block.id())
        .setGenerationStamp(block.generationStamp())
        .setToken(ByteString.copyFrom(token))
        .setPath(path)
        .setBlockLength(blockLength)
        .setPurpose(
            switch (purpose) {
              case LOCALIZATION -> OpenProto.Purpose.LOCALIZATION;
              case CHOSEN_PATH -> OpenProto.Purpose.CHOSEN_PATH;
            })
        .build()
        .writeDelimitedTo(out);
    OpenResponseProto answer = Delimited.read(in, OpenResponseProto.parser(), LONGEST_ANSWER);
    // A cache that has too many clients closes at once.
    if (answer == null || answer.hasDeclined()) {
      return Optional.empty();
    }
    PieceSums.Kind kind =
        switch (answer.getChecksum()) {
          case CRC32 -> PieceSums.Kind.CRC32;
          case CRC32C -> PieceSums.Kind.CRC32C;
        };
    int[] sums = answer.getSumsList().stream().mapToInt(Integer::intValue).toArray();
    return Optional.of(
        new PieceSums(
            kind, new BlockPieces(answer.getBlockLength(), answer.getPieceLength()), sums));
  }

  /**
   * Fills {@code target} with a piece.
   *
   * @throws IOException if the cache does not have it and will not get it in time
   */
  void read(int piece, ByteBuffer target) throws IOException {
    ReadPieceProto.newBuilder().setPiece(piece).build().writeDelimitedTo(out);
    ReadPieceResponseProto answer =
        Delimited.read(in, ReadPieceResponseProto.parser(), LONGEST_ANSWER);
    if (answer == null) {
      throw new EOFException("the block cache of this host has ended");
    }
    if (answer.hasFailed()) {
      throw new IOException("the block cache of this host: " + answer.getFailed());
    }
    int read =
        in.readNBytes(target.array(), target.arrayOffset() + target.position(), target.remaining());
    target.position(target.position() + read);
    if (target.hasRemaining()) {
      throw new EOFException("the block cache of this host ended in the middle of a piece");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
