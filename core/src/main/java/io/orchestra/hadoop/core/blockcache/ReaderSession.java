package io.orchestra.hadoop.core.blockcache;

import com.google.common.primitives.Ints;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's conversation: it opens a block, then reads pieces until it leaves. */
final class ReaderSession {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderSession.class);
  private static final int LONGEST_OPEN = 64 << 10;
  private static final int LONGEST_READ = 64;

  private final SocketChannel client;
  private final InputStream in;
  private final OutputStream out;
  private final String user;
  private final ReaderServer.Access access;
  private final Filler blocks;
  private final Duration waitLimit;
  private final BlockCacheMetrics metrics;

  ReaderSession(
      SocketChannel client,
      String user,
      ReaderServer.Access access,
      Filler blocks,
      Duration waitLimit,
      BlockCacheMetrics metrics) {
    this.client = client;
    this.in = Channels.newInputStream(client);
    this.out = Channels.newOutputStream(client);
    this.user = user;
    this.access = access;
    this.blocks = blocks;
    this.waitLimit = waitLimit;
    this.metrics = metrics;
  }

  /**
   * @throws IOException if the client says what makes no sense, or is gone
   */
  void run() throws IOException, InterruptedException {
    OpenProto open = Delimited.read(in, OpenProto.parser(), LONGEST_OPEN);
    if (open == null) {
      return;
    }
    Offer offer = offer(open);
    if (offer instanceof Offer.Filling filling) {
      try (Lease lease = filling.lease()) {
        serve(lease.block());
      }
    } else if (offer instanceof Offer.Declined declined) {
      decline(declined.reason());
    }
  }

  private Offer offer(OpenProto open) throws InterruptedException {
    BlockKey block =
        new BlockKey(open.getBlockPool(), open.getBlockId(), open.getGenerationStamp());
    try {
      access.verify(block, BlockTokens.read(open.getToken()));
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} may not read {}", user, block, e);
      return new Offer.Declined("the block token is not valid");
    }
    ReadRequest.Purpose purpose =
        switch (open.getPurpose()) {
          case LOCALIZATION -> ReadRequest.Purpose.LOCALIZATION;
          case CHOSEN_PATH -> ReadRequest.Purpose.CHOSEN_PATH;
        };
    return blocks.offer(
        new ReadRequest(block, open.getBlockLength(), open.getPath(), purpose, user));
  }

  private void decline(String reason) throws IOException {
    metrics.declined(reason);
    OpenResponseProto.newBuilder().setDeclined(reason).build().writeDelimitedTo(out);
  }

  private void serve(CachedBlock block) throws IOException, InterruptedException {
    PieceSums sums;
    try {
      sums = block.awaitSums(waitLimit);
    } catch (IOException e) {
      LOG.debug("{} goes to HDFS", user, e);
      decline("the swarm did not begin");
      return;
    }
    answer(sums).writeDelimitedTo(out);
    ReadPieceProto read;
    while ((read = Delimited.read(in, ReadPieceProto.parser(), LONGEST_READ)) != null) {
      int piece = read.getPiece();
      if (piece < 0 || piece >= block.pieces().count()) {
        throw new IOException(
            "%s asks for piece %d of %d".formatted(user, piece, block.pieces().count()));
      }
      send(block, piece);
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

  private void send(CachedBlock block, int piece) throws IOException, InterruptedException {
    ReadPieceResponseProto.Builder response = ReadPieceResponseProto.newBuilder();
    try {
      block.await(piece, waitLimit);
    } catch (IOException e) {
      metrics.failed();
      response.setFailed(e.getMessage()).build().writeDelimitedTo(out);
      return;
    }
    response.build().writeDelimitedTo(out);
    block.send(piece, this::take);
    metrics.served(block.pieces().length(piece));
  }

  private void take(FileChannel file, long position, int length) throws IOException {
    long end = position + length;
    for (long at = position; at < end; ) {
      long sent = file.transferTo(at, end - at, client);
      if (sent == 0 && at >= file.size()) {
        throw new EOFException("a cached block ends at %d".formatted(at));
      }
      at += sent;
    }
  }
}
