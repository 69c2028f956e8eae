package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.Pieces;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.core.daemon.Acceptor;
import io.orchestra.hadoop.core.daemon.LogText;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hdfs.server.datanode.BlockReadAccess;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port on which a peer serves others. Who asks for pieces of a block must show a block token
 * for it, as to a DataNode.
 */
final class PeerListener implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerListener.class);

  /**
   * Bytes that a stranger can have this host keep before it has seen his tokens. One takes 200 to
   * 500 bytes with what else is said of its block.
   */
  static final int LONGEST_HELLO = BroadcastConfig.MOST_BLOCKS * (1 << 10);

  /** Characters of a DataNode's UUID; of those from before there were any, too. */
  private static final int LONGEST_UUID = 64;

  /** For which a receiver may keep what is here from making room for others. */
  private static final Duration LONGEST_IDLE = Duration.ofMinutes(10);

  /** Those who only shake hands, or only want checksums, for each who is sent pieces. */
  private static final int HANDSHAKES = 4;

  /** A receiver sends at least an empty wish so often. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final DataNode datanode;
  private final BroadcastConfig config;
  private final Replicas replicas;
  private final BlockCache cache;
  private final SwarmFiller filler;
  private final Downloads downloads;
  private final BroadcastMetrics metrics;
  private final Runnable begun;
  private final ServerSocketChannel listener;

  /** Whoever reaches the port can cause them. */
  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);

  private final HostShares slots;
  private final HostShares places;
  private final HostShares connections;
  private final Set<SocketChannel> receivers = ConcurrentHashMap.newKeySet();

  /** Those who have not said what they want, and since when. */
  private final Map<SocketChannel, Long> greeting = new ConcurrentHashMap<>();

  private final Map<ReceiverSession, PeerStreams> sessions = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-peer-sender-%d")
              .setDaemon(true)
              .build());

  private PeerListener(
      DataNode datanode,
      BroadcastConfig config,
      Replicas replicas,
      BlockCache cache,
      SwarmFiller filler,
      Downloads downloads,
      BroadcastMetrics metrics,
      Runnable begun,
      ServerSocketChannel listener) {
    this.datanode = datanode;
    this.config = config;
    this.replicas = replicas;
    this.cache = cache;
    this.filler = filler;
    this.downloads = downloads;
    this.metrics = metrics;
    this.begun = begun;
    this.listener = listener;
    slots = new HostShares(config.uploadSlots());
    places = new HostShares(config.uploadConnections());
    connections = new HostShares(HANDSHAKES * config.uploadConnections());
  }

  /**
   * @param begun called when there is one more receiver to be looked after
   * @throws IOException if the port cannot be bound; the message has the remedy
   */
  static PeerListener start(
      DataNode datanode,
      BroadcastConfig config,
      Replicas replicas,
      BlockCache cache,
      SwarmFiller filler,
      Downloads downloads,
      BroadcastMetrics metrics,
      Runnable begun)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(config.peerBindHost(), config.peerPort());
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(address);
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw new IOException(
          "cannot listen on %s. Set %speer.port to a free port"
              .formatted(address, BroadcastConfig.PREFIX),
          e);
    }
    PeerListener started =
        new PeerListener(
            datanode, config, replicas, cache, filler, downloads, metrics, begun, listener);
    started.threads.execute(new Acceptor("a receiver of the swarm peer", listener, started::begin));
    return started;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void begin(SocketChannel receiver) throws IOException {
    HostShares.Share connection =
        connections.of(receiver.socket().getInetAddress().getHostAddress());
    if (!connection.tryTake()) {
      // It asks others; silence would cost it time.
      receiver.close();
      return;
    }
    try {
      receivers.add(receiver);
      greeting.put(receiver, System.nanoTime());
      begun.run();
      threads.execute(() -> serve(receiver, connection));
    } catch (RuntimeException | Error e) {
      receivers.remove(receiver);
      greeting.remove(receiver);
      connection.giveBack();
      receiver.close();
      throw e;
    }
  }

  private void serve(SocketChannel receiver, HostShares.Share connection) {
    try (receiver;
        PeerStreams streams =
            PeerStreams.accepted(
                datanode.getSaslServer(),
                datanode.getDatanodeId(),
                receiver,
                config.stallTimeout())) {
      HelloProto hello = Delimited.read(streams.in(), HelloProto.parser(), LONGEST_HELLO);
      greeting.remove(receiver);
      if (hello != null) {
        serve(streams, hello);
      }
    } catch (IOException e) {
      LOG.debug("A receiver left", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (listener.isOpen()) {
        LOG.warn("Serving a receiver failed", e);
      }
    } finally {
      greeting.remove(receiver);
      receivers.remove(receiver);
      connection.giveBack();
    }
  }

  private void serve(PeerStreams streams, HelloProto hello)
      throws IOException, InterruptedException {
    FileLayout layout;
    try {
      layout = verified(hello);
    } catch (IOException | RuntimeException e) {
      if (warnings.tryAcquire()) {
        LOG.warn(
            "{} was refused: it has no valid block token for what it asks for (told at most once a"
                + " minute)",
            streams.remote());
      }
      LOG.debug("{} was refused: {}", streams.remote(), LogText.of(e.toString()));
      refuse(streams, "not allowed");
      return;
    }
    // It may have been told of us before we have heard that we belong to its swarm.
    filler.awaitBegun(layout, config.joinTimeout());
    try (FileParts parts = FileParts.open(layout, replicas, cache)) {
      if (parts.isEmpty()) {
        refuse(streams, "nothing here");
        return;
      }
      if (hello.getMutual()) {
        downloads.claimed(layout.name(), hello.getDatanodeUuid());
      }
      String host = streams.remoteHost();
      ReceiverSession session =
          new ReceiverSession(streams, layout, parts, slots.of(host), metrics::sent);
      HostShares.Share place = places.of(host);
      if (!place.tryTake()) {
        session.tellSums();
        return;
      }
      try {
        converse(streams, session);
      } finally {
        place.giveBack();
      }
    }
  }

  private void converse(PeerStreams streams, ReceiverSession session)
      throws IOException, InterruptedException {
    sessions.put(session, streams);
    begun.run();
    try {
      sendPieces(streams, session);
    } finally {
      sessions.remove(session);
    }
  }

  private void sendPieces(PeerStreams streams, ReceiverSession session)
      throws IOException, InterruptedException {
    session.welcome();
    streams.readTimeout(LONGEST_SILENCE);
    threads.execute(
        () -> {
          try {
            session.readWishes();
          } catch (IOException | RuntimeException e) {
            LOG.debug("{} left", streams.remote(), e);
          }
        });
    session.sendPieces();
  }

  private static void refuse(PeerStreams streams, String reason) throws IOException {
    HelloResponseProto.newBuilder().setRefused(reason).build().writeDelimitedTo(streams.out());
    streams.out().flush();
  }

  /**
   * @throws IOException if the receiver may not read one of the blocks
   */
  private FileLayout verified(HelloProto hello) throws IOException {
    verifyLengths(hello);
    Set<BlockKey> keys = new LinkedHashSet<>();
    List<Long> lengths = new ArrayList<>();
    for (OfferedBlockProto block : hello.getBlocksList()) {
      BlockKey key = new BlockKey(hello.getBlockPool(), block.getId(), block.getGenerationStamp());
      BlockReadAccess.verify(
          datanode, key.extended(block.getLength()), BlockTokens.read(block.getToken()));
      if (!keys.add(key)) {
        throw new IOException("block %s twice".formatted(key));
      }
      lengths.add(block.getLength());
    }
    return new FileLayout(List.copyOf(keys), lengths, hello.getPieceLength());
  }

  /**
   * @throws IOException if one is more than there can be
   */
  static void verifyLengths(HelloProto hello) throws IOException {
    if (!Pieces.possible(hello.getPieceLength())) {
      throw new IOException("pieces of %d bytes".formatted(hello.getPieceLength()));
    }
    if (hello.getBlocksCount() > BroadcastConfig.MOST_BLOCKS) {
      throw new IOException("%d blocks".formatted(hello.getBlocksCount()));
    }
    long pieces =
        hello.getBlocksList().stream()
            .mapToLong(block -> block.getLength() / hello.getPieceLength() + 1)
            .sum();
    if (pieces > BroadcastConfig.MOST_PIECES) {
      throw new IOException("%d pieces".formatted(pieces));
    }
    if (hello.getDatanodeUuid().length() > LONGEST_UUID) {
      throw new IOException("a UUID of %d characters".formatted(hello.getDatanodeUuid().length()));
    }
  }

  /** Whether there is nobody to be looked after. */
  boolean isIdle() {
    return greeting.isEmpty() && sessions.isEmpty();
  }

  /**
   * Looks after receivers, and leaves those that take a piece too slowly; called a few times a
   * second.
   */
  void tick(long now) {
    greeting.forEach(
        (receiver, since) -> {
          if (now - since > config.stallTimeout().multipliedBy(2).toNanos()) {
            close(receiver);
          }
        });
    sessions.forEach(
        (session, streams) -> {
          session.tick(now);
          if (session.hasSentSince(now - config.longestPiece(session.pieceLength()).toNanos())) {
            LOG.info("{} takes pieces too slowly and is left", streams.remote());
            close(streams::end);
          } else if (session.hasWantedNothingSince(now - LONGEST_IDLE.toNanos())) {
            LOG.debug("{} has wanted nothing for {} and is left", streams.remote(), LONGEST_IDLE);
            close(streams::end);
          }
        });
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.debug("A connection did not close", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
    for (SocketChannel receiver : receivers) {
      receiver.close();
    }
  }
}
