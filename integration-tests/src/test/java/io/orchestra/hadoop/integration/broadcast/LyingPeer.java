package io.orchestra.hadoop.integration.broadcast;

import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerClient;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.SumsProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * A receiver of a swarm that says it has all of a file, with checksums, and lies, or does not send
 * it as it should. Otherwise it keeps to the protocol.
 */
final class LyingPeer implements Closeable {
  private static final int THREADS = 10;
  private static final int NO_PORT = 9;
  private static final int SLICE = 50_000;
  private static final Duration SLICE_TIME = Duration.ofMillis(50);

  /** What it does when it is asked for a piece. */
  enum Lie {
    OTHER_BYTES,
    SILENCE,
    /** A byte now and then. */
    TRICKLE,
    REFUSAL,
    /** What is true, at 1 MB/s until it hurries. */
    SLOW_TRUTH,
    /** Half of a piece that is true, and no more. */
    HALF_A_TRUTH,
    /** Half of a piece, and the end of the connection. */
    DEATH
  }

  private final byte[] claimed;
  private final Lie lie;
  private final ServerSocket listener = new ServerSocket(0);
  private final SwarmTrackerClient tracker;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
  private final List<String> callers = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean hurried;

  private LyingPeer(BroadcastCluster cluster, byte[] content, Lie lie) throws IOException {
    this.lie = lie;
    claimed = content.clone();
    for (int at = 0; at < content.length && !isTrue(); at++) {
      claimed[at] = (byte) ~content[at];
    }
    tracker = new SwarmTrackerClient(cluster.host(0), cluster.tracker(), Duration.ofSeconds(5));
  }

  private boolean isTrue() {
    return lie == Lie.SLOW_TRUTH || lie == Lie.HALF_A_TRUTH;
  }

  /**
   * Returns when the tracker knows it.
   *
   * @param datanode without a peer, for which it speaks
   * @param content of the file
   */
  static LyingPeer join(
      BroadcastCluster cluster, String datanode, String path, byte[] content, Lie lie)
      throws IOException {
    LyingPeer liar = new LyingPeer(cluster, content, lie);
    try {
      ExtendedBlock block = cluster.firstBlock(path).getBlock();
      JoinProto request =
          JoinProto.newBuilder()
              .setSelf(
                  PeerProto.newBuilder()
                      .setDatanodeUuid(datanode)
                      .setPort(liar.listener.getLocalPort()))
              .setBlockPool(block.getBlockPoolId())
              .setBlock(
                  BlockProto.newBuilder()
                      .setId(block.getBlockId())
                      .setGenerationStamp(block.getGenerationStamp()))
              .build();
      liar.threads.execute(liar::accept);
      liar.join(request);
      // Whoever is silent is soon forgotten.
      ScheduledFuture<?> unused =
          liar.threads.scheduleWithFixedDelay(
              () -> liar.join(request), 100, 100, TimeUnit.MILLISECONDS);
      return liar;
    } catch (IOException | RuntimeException e) {
      liar.close();
      throw e;
    }
  }

  /**
   * Says that a DataNode has a peer, at a port where nobody is. It is believed for some seconds.
   *
   * @param datanode without a peer
   */
  static void pretend(BroadcastCluster cluster, String datanode) throws IOException {
    try (SwarmTrackerClient tracker =
        new SwarmTrackerClient(cluster.host(0), cluster.tracker(), Duration.ofSeconds(5))) {
      AnnounceResponseProto unused =
          tracker.announce(
              AnnounceProto.newBuilder()
                  .setSelf(PeerProto.newBuilder().setDatanodeUuid(datanode).setPort(NO_PORT))
                  .build());
    }
  }

  private void join(JoinProto request) {
    try {
      JoinResponseProto answer = tracker.join(request);
      if (answer.hasDeclined()) {
        throw new IOException("declined: " + answer.getDeclined());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** DataNodes that have connected, once for each time. */
  List<String> callers() {
    return List.copyOf(callers);
  }

  /** How many pieces it was asked for. */
  int asked() {
    return asked.get();
  }

  /** From now on it sends as fast as it can. */
  void hurry() {
    hurried = true;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket receiver = listener.accept();
        threads.execute(() -> converse(receiver));
      } catch (IOException e) {
        // This peer is closed.
      }
    }
  }

  private void converse(Socket receiver) {
    try (receiver) {
      HelloProto hello = HelloProto.parseDelimitedFrom(receiver.getInputStream());
      callers.add(hello.getDatanodeUuid());
      List<List<ByteBuffer>> blocks = cut(hello);
      welcome(blocks).writeDelimitedTo(receiver.getOutputStream());
      List<ByteBuffer> pieces = blocks.stream().flatMap(List::stream).toList();
      WishProto wish;
      while ((wish = WishProto.parseDelimitedFrom(receiver.getInputStream())) != null) {
        for (int piece : wish.getWantedList()) {
          asked.incrementAndGet();
          answer(piece, pieces.get(piece), receiver);
        }
      }
    } catch (IOException e) {
      // The receiver has left.
    }
  }

  private List<List<ByteBuffer>> cut(HelloProto hello) {
    List<List<ByteBuffer>> blocks = new ArrayList<>();
    int start = 0;
    for (OfferedBlockProto block : hello.getBlocksList()) {
      List<ByteBuffer> pieces = new ArrayList<>();
      int end = Math.toIntExact(start + block.getLength());
      for (int at = start; at < end; at += hello.getPieceLength()) {
        pieces.add(ByteBuffer.wrap(claimed, at, Math.min(hello.getPieceLength(), end - at)));
      }
      blocks.add(pieces);
      start = end;
    }
    return blocks;
  }

  private static HelloResponseProto welcome(List<List<ByteBuffer>> blocks) {
    HelloResponseProto.Builder welcome = HelloResponseProto.newBuilder();
    int count = 0;
    for (int block = 0; block < blocks.size(); block++) {
      SumsProto.Builder sums =
          SumsProto.newBuilder().setBlock(block).setKind(SumsProto.Kind.CRC32C);
      blocks.get(block).forEach(piece -> sums.addSums(PieceSums.Kind.CRC32C.of(piece)));
      welcome.addSums(sums);
      count += blocks.get(block).size();
    }
    BitSet all = new BitSet();
    all.set(0, count);
    return welcome.setHas(ByteString.copyFrom(all.toByteArray())).build();
  }

  private void answer(int piece, ByteBuffer bytes, Socket receiver) throws IOException {
    OutputStream out = receiver.getOutputStream();
    if (lie == Lie.REFUSAL) {
      PieceProto.newBuilder().setRefused(piece).build().writeDelimitedTo(out);
    } else if (lie != Lie.SILENCE) {
      PieceProto.newBuilder().setPiece(piece).build().writeDelimitedTo(out);
      send(bytes, receiver);
    }
  }

  private void send(ByteBuffer piece, Socket receiver) throws IOException {
    OutputStream out = receiver.getOutputStream();
    int length = piece.remaining();
    switch (lie) {
      case OTHER_BYTES -> out.write(piece.array(), piece.position(), length);
      case TRICKLE -> {
        while (!threads.isShutdown()) {
          out.write(0);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
      }
      case SLOW_TRUTH -> {
        for (int at = 0; at < length && !threads.isShutdown(); at += SLICE) {
          out.write(piece.array(), piece.position() + at, Math.min(SLICE, length - at));
          if (!hurried) {
            LockSupport.parkNanos(SLICE_TIME.toNanos());
          }
        }
      }
      case HALF_A_TRUTH -> {
        out.write(piece.array(), piece.position(), length / 2);
        // Until the receiver leaves.
        receiver.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
      case DEATH -> {
        out.write(piece.array(), piece.position(), length / 2);
        receiver.close();
      }
      default -> throw new IllegalStateException(lie.toString());
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    listener.close();
    tracker.close();
  }
}
