package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.primitives.Ints;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.SumsProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends pieces of one file to one receiver. Two threads: {@link #readWishes} and {@link
 * #sendPieces}; the first to end ends both.
 */
final class ReceiverSession {
  private static final Logger LOG = LoggerFactory.getLogger(ReceiverSession.class);
  private static final int LONGEST_WISH = 64 << 10;

  /** A receiver that asks for more at once does not keep to its limits. */
  private static final int MOST_WISHES = 256;

  private final PeerStreams streams;
  private final FileLayout layout;
  private final FileParts parts;
  private final HostShares.Share slots;
  private final LongConsumer sent;

  // Guarded by this.
  private final Set<Integer> wanted = new LinkedHashSet<>();
  private final News news = new News(System.nanoTime());
  private boolean greeted;
  private boolean ended;

  /** When the piece that is being sent was begun; 0 if none is. */
  private volatile long sendingSince;

  private volatile long lastWanted = System.nanoTime();

  /**
   * @param parts closed by the caller
   * @param slots shared by all sessions of this host: how many pieces are sent at once
   * @param sent told how many bytes were sent
   */
  ReceiverSession(
      PeerStreams streams,
      FileLayout layout,
      FileParts parts,
      HostShares.Share slots,
      LongConsumer sent) {
    this.streams = streams;
    this.layout = layout;
    this.parts = parts;
    this.slots = slots;
    this.sent = sent;
  }

  /** Says what can be had here, and from then on what comes. */
  void welcome() throws IOException {
    respond(parts.listen(this::gained));
  }

  /** Says the checksums this host has from HDFS, and that nothing can be had now. */
  void tellSums() throws IOException {
    respond(new BitSet());
  }

  private void respond(BitSet present) throws IOException {
    HelloResponseProto.Builder response =
        HelloResponseProto.newBuilder().setHas(ByteString.copyFrom(present.toByteArray()));
    for (int block = 0; block < layout.blocks(); block++) {
      Optional<PieceSums> sums = parts.ownSums(block);
      if (sums.isPresent()) {
        response.addSums(
            SumsProto.newBuilder()
                .setBlock(block)
                .setKind(
                    switch (sums.get().kind()) {
                      case CRC32 -> SumsProto.Kind.CRC32;
                      case CRC32C -> SumsProto.Kind.CRC32C;
                    })
                .addAllSums(Ints.asList(sums.get().sums())));
      }
    }
    response.build().writeDelimitedTo(streams.out());
    streams.out().flush();
  }

  private synchronized void gained(int piece) {
    news.add(piece);
    tick(System.nanoTime());
  }

  /** Tells what has waited for long enough; called a few times a second. */
  synchronized void tick(long now) {
    if (news.isDue(now)) {
      notifyAll();
    }
  }

  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Until the receiver leaves or says what makes no sense. */
  void readWishes() throws IOException {
    try {
      WishProto wish;
      while ((wish = Delimited.read(streams.in(), WishProto.parser(), LONGEST_WISH)) != null) {
        take(wish);
      }
    } finally {
      end();
    }
  }

  private synchronized void take(WishProto wish) throws IOException {
    greeted |= wish.getWantedCount() == 0 && wish.getNeedlessCount() == 0;
    wish.getNeedlessList().forEach(wanted::remove);
    for (int piece : wish.getWantedList()) {
      if (piece < 0 || piece >= layout.pieces()) {
        throw new IOException("a wish for piece %d of %d".formatted(piece, layout.pieces()));
      }
      wanted.add(piece);
    }
    if (!wanted.isEmpty()) {
      lastWanted = System.nanoTime();
    }
    if (wanted.size() > MOST_WISHES) {
      throw new IOException("%d wishes at once".formatted(wanted.size()));
    }
    notifyAll();
  }

  /** Until the session ends or the receiver takes no more. */
  void sendPieces() throws IOException, InterruptedException {
    try {
      while (awaitWork()) {
        if (hasWish()) {
          // All sessions queue here, so that receivers take turns.
          slots.take();
          sendingSince = System.nanoTime();
          try {
            sendOne();
          } finally {
            sendingSince = 0;
            slots.giveBack();
          }
        } else {
          tellNews();
        }
      }
    } finally {
      end();
      leave();
    }
  }

  /**
   * Ends the connection: the thread that reads wishes would go on waiting for a silent receiver,
   * whose place among the connections of its host has been given back.
   */
  private void leave() {
    try {
      streams.end();
    } catch (IOException e) {
      LOG.debug("{} has left", streams.remote(), e);
    }
  }

  int pieceLength() {
    return layout.pieceLength();
  }

  /** Whether it has held a slot since before {@code time} for one and the same piece. */
  boolean hasSentSince(long time) {
    long since = sendingSince;
    return since != 0 && since - time < 0;
  }

  /** Whether it has asked for no piece since {@code time}, and gets none. */
  boolean hasWantedNothingSince(long time) {
    return lastWanted - time < 0 && sendingSince == 0;
  }

  private synchronized boolean awaitWork() throws InterruptedException {
    while (!ended && wanted.isEmpty() && !greeted && !news.isDue(System.nanoTime())) {
      wait();
    }
    return !ended;
  }

  private synchronized boolean hasWish() {
    return !wanted.isEmpty();
  }

  /** The longest waiting wish, if it is still wanted. */
  private synchronized Optional<Integer> nextWish() {
    Optional<Integer> first = wanted.stream().findFirst();
    first.ifPresent(wanted::remove);
    return first;
  }

  /** A message, with all that it is to be told of. */
  private synchronized PieceProto.Builder message() {
    greeted = false;
    return PieceProto.newBuilder().addAllGained(news.take(System.nanoTime()));
  }

  private void tellNews() throws IOException {
    message().build().writeDelimitedTo(streams.out());
    streams.out().flush();
  }

  private void sendOne() throws IOException {
    Optional<Integer> wish = nextWish();
    if (wish.isEmpty()) {
      return;
    }
    int piece = wish.get();
    if (!parts.has(piece)) {
      message().setRefused(piece).build().writeDelimitedTo(streams.out());
      streams.out().flush();
      return;
    }
    message().setPiece(piece).build().writeDelimitedTo(streams.out());
    streams.out().flush();
    parts.send(piece, streams.sink());
    sent.accept(layout.length(piece));
    LOG.trace("Sent piece {} of {} to {}", piece, layout, streams.remote());
  }
}
