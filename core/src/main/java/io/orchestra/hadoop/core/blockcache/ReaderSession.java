package io.orchestra.hadoop.core.blockcache;

import com.google.common.primitives.Ints;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.net.SocketInputStream;
import org.apache.hadoop.net.SocketOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's conversation: it opens a block, then reads pieces until it leaves. Who is silent for
 * too long has left.
 */
final class ReaderSession {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderSession.class);
  private static final int LONGEST_OPEN = 64 << 10;
  private static final int LONGEST_READ = 64;
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(5);
  private static final Duration READ_LIMIT = Duration.ofSeconds(60);
  private static final Duration WRITE_LIMIT = Duration.ofSeconds(60);

  private final TimedStream said;
  private final InputStream in;
  private final SocketOutputStream out;
  private final String user;
  private final ReaderServer.Access access;
  private final Filler blocks;
  private final UserLimits limits;
  private final BlockCacheConfig config;
  private final BlockCacheMetrics metrics;
  private Patience patience;

  ReaderSession(
      SocketChannel client,
      String user,
      ReaderServer.Access access,
      Filler blocks,
      UserLimits limits,
      BlockCacheConfig config,
      BlockCacheMetrics metrics)
      throws IOException {
    said = new TimedStream(new SocketInputStream(client, OPEN_LIMIT.toMillis()));
    // Hadoop's stream refuses to read nothing.
    in = new BufferedInputStream(said);
    out = new SocketOutputStream(client, WRITE_LIMIT.toMillis());
    this.user = user;
    this.access = access;
    this.blocks = blocks;
    this.limits = limits;
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * @throws IOException if the client says what makes no sense, or is gone
   */
  void run() throws IOException, InterruptedException {
    said.expectWithin(OPEN_LIMIT);
    OpenProto open = Delimited.read(in, OpenProto.parser(), LONGEST_OPEN);
    if (open == null) {
      return;
    }
    ReadRequest.Purpose purpose = purpose(open);
    patience = config.patience(purpose);
    long deadline = System.nanoTime() + patience.limit().toNanos();
    OpenResponseProto.newBuilder().setStillWaiting(true).build().writeDelimitedTo(out);
    Offer offer = offer(open, purpose);
    if (offer instanceof Offer.Filling filling) {
      try (Lease lease = filling.lease()) {
        serve(lease.block(), open.getPath(), deadline);
      }
    } else if (offer instanceof Offer.Declined declined) {
      decline(declined.reason());
    }
  }

  private static ReadRequest.Purpose purpose(OpenProto open) {
    return switch (open.getPurpose()) {
      case LOCALIZATION -> ReadRequest.Purpose.LOCALIZATION;
      case CHOSEN_PATH -> ReadRequest.Purpose.CHOSEN_PATH;
      case MAP_INPUT -> ReadRequest.Purpose.MAP_INPUT;
    };
  }

  private Offer offer(OpenProto open, ReadRequest.Purpose purpose) throws InterruptedException {
    BlockKey block =
        new BlockKey(open.getBlockPool(), open.getBlockId(), open.getGenerationStamp());
    try {
      access.verify(block, BlockTokens.read(open.getToken()));
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} may not read {}", user, block, e);
      return new Offer.Declined("the block token is not valid");
    }
    if (!limits.mayHold(user, block, open.getVisibleLength())) {
      limits.tellRefused(user, open.getPath(), open.getVisibleLength());
      return new Offer.Declined(UserLimits.TOO_MUCH);
    }
    return blocks.offer(
        new ReadRequest(block, open.getVisibleLength(), open.getPath(), purpose, user));
  }

  private void decline(String reason) throws IOException {
    metrics.declined(reason);
    OpenResponseProto.newBuilder().setDeclined(reason).build().writeDelimitedTo(out);
  }

  private void serve(CachedBlock block, String path, long deadline)
      throws IOException, InterruptedException {
    if (!limits.hold(user, block)) {
      limits.tellRefused(user, path, block.pieces().blockLength());
      decline(UserLimits.TOO_MUCH);
      return;
    }
    block.openedByReader();
    try {
      Optional<PieceSums> sums = sums(block, deadline);
      if (sums.isPresent()) {
        answer(sums.get()).writeDelimitedTo(out);
        sendPieces(block);
      } else {
        decline("it did not begin to come");
      }
    } finally {
      block.closedByReader(System.nanoTime());
      limits.release(user, block);
    }
  }

  /**
   * @param deadline until which the client waits, whatever took the time so far
   */
  private Optional<PieceSums> sums(CachedBlock block, long deadline) throws InterruptedException {
    try {
      return Optional.of(block.awaitSums(Duration.ofNanos(deadline - System.nanoTime())));
    } catch (IOException e) {
      LOG.debug("{} goes to HDFS", user, e);
      return Optional.empty();
    }
  }

  private static OpenResponseProto answer(PieceSums sums) {
    return OpenResponseProto.newBuilder()
        .setBlockLength(sums.pieces().blockLength())
        .setPieceLength(sums.pieces().pieceLength())
        .setChecksum(
            switch (sums.kind()) {
              case CRC32 -> OpenResponseProto.Checksum.CRC32;
              case CRC32C -> OpenResponseProto.Checksum.CRC32C;
            })
        .addAllSums(Ints.asList(sums.sums()))
        .build();
  }

  private void sendPieces(CachedBlock block) throws IOException, InterruptedException {
    ReadPieceProto read;
    while ((read = nextRead()) != null) {
      int piece = read.getPiece();
      if (piece < 0 || piece >= block.pieces().count()) {
        throw new IOException(
            "%s asks for piece %d of %d".formatted(user, piece, block.pieces().count()));
      }
      if (read.getWrong()) {
        // To verify costs more than to ask, and who has had a wrong piece reads on from HDFS.
        verify(block, piece);
        return;
      }
      send(block, piece);
    }
  }

  private ReadPieceProto nextRead() throws IOException {
    said.expectWithin(READ_LIMIT);
    return Delimited.read(in, ReadPieceProto.parser(), LONGEST_READ);
  }

  /** A client is not believed: what it says, or that it leaves, is only a reason to look. */
  private void verify(CachedBlock block, int piece) throws IOException {
    if (!block.verify(piece)) {
      metrics.spoilt();
      LOG.warn(
          "Piece {} of {} has changed in the cache of this host, or cannot be read, and the block is"
              + " dropped. Is its disk or memory bad?",
          piece,
          block.key());
    }
  }

  private void send(CachedBlock block, int piece) throws IOException, InterruptedException {
    ReadPieceResponseProto.Builder response = ReadPieceResponseProto.newBuilder();
    try {
      block.await(piece, patience, this::stillWaiting);
    } catch (IOException e) {
      response.setFailed(e.getMessage()).build().writeDelimitedTo(out);
      metrics.failed();
      return;
    }
    response.build().writeDelimitedTo(out);
    try {
      block.send(piece, out::transferToFully);
    } catch (IOException e) {
      // The client has left, or the disk cannot read it: nobody can tell which.
      verify(block, piece);
      throw e;
    }
    metrics.served(block.pieces().length(piece));
  }

  private void stillWaiting() throws IOException {
    ReadPieceResponseProto.newBuilder().setStillWaiting(true).build().writeDelimitedTo(out);
  }
}
