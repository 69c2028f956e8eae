package io.orchestra.hadoop.core.blockcache;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import io.orchestra.hadoop.core.rpc.Delimited;
import io.orchestra.hadoop.core.rpc.GarbledMessageException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.apache.hadoop.net.SocketInputStream;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's end of the conversation with the block cache of its host, about one block. Whatever
 * the client waits for, it hears soon that the cache lives; a cache that is silent is dead, and the
 * call fails with a {@link java.net.SocketTimeoutException}.
 */
final class CacheConnection implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheConnection.class);

  /** The longest silence. A cache that waits says so about once a second. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final int LONGEST_ANSWER = 1 << 20;

  /** For every thread the JDK keeps a direct buffer as long as its longest read was. */
  private static final int LONGEST_READ = 128 << 10;

  private final SocketChannel channel;
  private final SocketInputStream socket;
  private final InputStream in;
  private final OutputStream out;
  private final Duration waitLimit;

  private CacheConnection(SocketChannel channel, Duration waitLimit) throws IOException {
    this.channel = channel;
    this.waitLimit = waitLimit;
    socket = new SocketInputStream(channel, GRACE.toMillis());
    // Hadoop's stream refuses to read nothing.
    in = new BufferedInputStream(socket);
    out = new SocketOutputStream(channel, GRACE.toMillis());
  }

  /**
   * @param guarded whether to insist that nobody can stand in for the DataNode
   * @param waitLimit of the cache until a block begins
   * @return empty if more clients knock than the cache lets in
   * @throws IOException if nobody listens, or perhaps another than the DataNode
   */
  static Optional<CacheConnection> connect(Path socket, boolean guarded, Duration waitLimit)
      throws IOException {
    SocketDirectory directory = SocketDirectory.of(socket);
    if (guarded) {
      directory.verify();
    }
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      if (!connected(channel, directory.socket())) {
        channel.close();
        return Optional.empty();
      }
      if (guarded) {
        directory.verifyServer(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
      }
      return Optional.of(new CacheConnection(channel, waitLimit));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @return false if the server's queue is full: a blocking connect would wait for ever
   */
  private static boolean connected(SocketChannel channel, Path socket) throws IOException {
    channel.configureBlocking(false);
    try {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (ConnectException | BindException e) {
      // Refused, or not allowed.
      throw e;
    } catch (SocketException e) {
      // What JDK 17 makes of EAGAIN (UnixDomainSockets.connect0).
      return false;
    }
  }

  /**
   * @param visibleLength where in the block the read may end, bytes
   * @return empty if the cache leaves this block to HDFS
   */
  Optional<PieceSums> open(
      BlockKey block, long visibleLength, byte[] token, String path, ReadRequest.Purpose purpose)
      throws IOException {
    OpenProto question =
        OpenProto.newBuilder()
            .setBlockPool(block.pool())
            .setBlockId(block.id())
            .setGenerationStamp(block.generationStamp())
            .setToken(ByteString.copyFrom(token))
            .setPath(path)
            .setVisibleLength(visibleLength)
            .setPurpose(
                switch (purpose) {
                  case LOCALIZATION -> OpenProto.Purpose.LOCALIZATION;
                  case CHOSEN_PATH -> OpenProto.Purpose.CHOSEN_PATH;
                  case MAP_INPUT -> OpenProto.Purpose.MAP_INPUT;
                })
            .build();
    OpenResponseProto answer = answer(begin(question));
    if (answer == null || answer.hasDeclined()) {
      return Optional.empty();
    }
    PieceSums.Kind kind =
        switch (answer.getChecksum()) {
          case CRC32 -> PieceSums.Kind.CRC32;
          case CRC32C -> PieceSums.Kind.CRC32C;
        };
    int[] sums = new int[answer.getSumsCount()];
    for (int piece = 0; piece < sums.length; piece++) {
      sums[piece] = answer.getSums(piece);
    }
    return Optional.of(
        new PieceSums(
            kind, new BlockPieces(answer.getBlockLength(), answer.getPieceLength()), sums));
  }

  /**
   * Asks. The cache says at once that it lives.
   *
   * @return null if it has too many clients: it closes without a word, before, while or after this
   *     one asks
   */
  private OpenResponseProto begin(OpenProto question) throws IOException {
    try {
      question.writeDelimitedTo(out);
      return Delimited.read(in, OpenResponseProto.parser(), LONGEST_ANSWER);
    } catch (InterruptedIOException | ClosedByInterruptException | GarbledMessageException e) {
      // Nobody answers in time, this thread is to end, or that is no cache, or not of this version.
      throw e;
    } catch (IOException e) {
      LOG.debug("The block cache of this host has closed", e);
      return null;
    }
  }

  /** The one that ends its waiting, within the wait limit. */
  private OpenResponseProto answer(OpenResponseProto first) throws IOException {
    socket.setTimeout(waitLimit.plus(GRACE).toMillis());
    OpenResponseProto answer = first;
    while (answer != null && answer.getStillWaiting()) {
      answer = Delimited.read(in, OpenResponseProto.parser(), LONGEST_ANSWER);
    }
    socket.setTimeout(GRACE.toMillis());
    return answer;
  }

  /**
   * Fills {@code target} with a piece.
   *
   * @throws IOException if the cache does not have it and will not get it in time
   */
  void read(int piece, ByteBuffer target) throws IOException {
    ReadPieceProto.newBuilder().setPiece(piece).build().writeDelimitedTo(out);
    ReadPieceResponseProto answer;
    do {
      answer = Delimited.read(in, ReadPieceResponseProto.parser(), LONGEST_ANSWER);
      if (answer == null) {
        throw new EOFException("the block cache of this host has ended");
      }
    } while (answer.getStillWaiting());
    if (answer.hasFailed()) {
      throw new IOException("the block cache of this host: " + answer.getFailed());
    }
    while (target.hasRemaining()) {
      int length = Math.min(target.remaining(), LONGEST_READ);
      int read = in.read(target.array(), target.arrayOffset() + target.position(), length);
      if (read < 0) {
        throw new EOFException("the block cache of this host ended in the middle of a piece");
      }
      target.position(target.position() + read);
    }
  }

  /** Tells the cache that the piece that was just read is wrong, so that it may look. */
  void complain(int piece) throws IOException {
    ReadPieceProto.newBuilder().setPiece(piece).setWrong(true).build().writeDelimitedTo(out);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
