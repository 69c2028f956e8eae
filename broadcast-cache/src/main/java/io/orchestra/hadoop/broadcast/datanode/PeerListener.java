package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.core.rpc.Delimited;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
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
  private static final int LONGEST_HELLO = 4 << 20;
  private static final int SHORTEST_PIECE = 64 << 10;
  private static final int LONGEST_PIECE = 16 << 20;

  /** A receiver sends at least an empty wish so often. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final DataNode datanode;
  private final BroadcastConfig config;
  private final Replicas replicas;
  private final BlockCache cache;
  private final Downloads downloads;
  private final BroadcastMetrics metrics;
  private final ServerSocketChannel listener;
  private final Semaphore slots;
  private final Set<SocketChannel> receivers = ConcurrentHashMap.newKeySet();
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
      Downloads downloads,
      BroadcastMetrics metrics,
      ServerSocketChannel listener) {
    this.datanode = datanode;
    this.config = config;
    this.replicas = replicas;
    this.cache = cache;
    this.downloads = downloads;
    this.metrics = metrics;
    this.listener = listener;
    slots = new Semaphore(config.uploadSlots(), true);
  }

  /**
   * @throws IOException if the port cannot be bound; the message has the remedy
   */
  static PeerListener start(
      DataNode datanode,
      BroadcastConfig config,
      Replicas replicas,
      BlockCache cache,
      Downloads downloads,
      BroadcastMetrics metrics)
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
        new PeerListener(datanode, config, replicas, cache, downloads, metrics, listener);
    started.threads.execute(started::accept);
    return started;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel receiver = listener.accept();
        if (receivers.size() >= config.uploadConnections()) {
          // It asks others; silence would cost it time.
          receiver.close();
          continue;
        }
        receivers.add(receiver);
        threads.execute(() -> serve(receiver));
      } catch (IOException | RuntimeException e) {
        if (listener.isOpen()) {
          LOG.warn("The swarm peer could not accept a receiver", e);
        }
      }
    }
  }

  private void serve(SocketChannel receiver) {
    try (receiver;
        PeerStreams streams = PeerStreams.accepted(datanode, receiver, config.stallTimeout())) {
      HelloProto hello = Delimited.read(streams.in(), HelloProto.parser(), LONGEST_HELLO);
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
      receivers.remove(receiver);
    }
  }

  private void serve(PeerStreams streams, HelloProto hello)
      throws IOException, InterruptedException {
    FileLayout layout;
    try {
      layout = verified(hello);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} was refused: {}", streams.remote(), e.getMessage());
      refuse(streams, "not allowed");
      return;
    }
    // It may have been told of us before we have heard that we belong to its swarm.
    downloads.awaitBegun(layout, config.joinTimeout());
    try (FileParts parts = FileParts.open(layout, replicas, cache)) {
      if (parts.isEmpty()) {
        refuse(streams, "nothing here");
        return;
      }
      if (hello.hasPort()) {
        downloads.introduce(
            layout.name(),
            new PeerAddress(hello.getDatanodeUuid(), streams.remoteHost(), hello.getPort()),
            hello.getNear());
      }
      converse(streams, new ReceiverSession(streams, layout, parts, slots, metrics::sent));
    }
  }

  private void converse(PeerStreams streams, ReceiverSession session)
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
    int pieceLength = hello.getPieceLength();
    if (pieceLength < SHORTEST_PIECE || pieceLength > LONGEST_PIECE) {
      throw new IOException("pieces of %d bytes".formatted(pieceLength));
    }
    List<BlockKey> keys = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    for (OfferedBlockProto block : hello.getBlocksList()) {
      BlockKey key = new BlockKey(hello.getBlockPool(), block.getId(), block.getGenerationStamp());
      BlockReadAccess.verify(
          datanode, key.extended(block.getLength()), BlockTokens.read(block.getToken()));
      keys.add(key);
      lengths.add(block.getLength());
    }
    return new FileLayout(keys, lengths, pieceLength);
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
