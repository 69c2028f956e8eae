package io.orchestra.hadoop.core.blockcache;

import io.orchestra.hadoop.core.daemon.Acceptor;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import jdk.net.ExtendedSocketOptions;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the HDFS clients of this host on a Unix domain socket, each on a thread of its own. The
 * number of clients is limited, in all and for each user.
 */
final class ReaderServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderServer.class);

  /** Decides who may read. */
  @FunctionalInterface
  interface Access {
    /**
     * @throws IOException if {@code token} does not allow to read {@code block}
     */
    void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException;
  }

  private final BlockCacheConfig config;
  private final Access access;
  private final Filler blocks;
  private final BlockCacheMetrics metrics;
  private final ServerSocketChannel listener;
  private final Path socket;
  private final ExecutorService threads;
  private final Semaphore places;
  private final UserLimits limits;
  private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();

  private ReaderServer(
      BlockCacheConfig config,
      Access access,
      Filler blocks,
      BlockCacheMetrics metrics,
      ServerSocketChannel listener,
      Path socket,
      ThreadFactory threads) {
    this.config = config;
    this.access = access;
    this.blocks = blocks;
    this.metrics = metrics;
    this.listener = listener;
    this.socket = socket;
    this.threads = Executors.newCachedThreadPool(threads);
    places = new Semaphore(config.connections());
    limits = new UserLimits(config);
  }

  /**
   * @param blocks where a block comes from
   * @param threads for all clients
   * @throws IOException if the socket cannot be made; the message has the remedy
   */
  static ReaderServer listen(
      BlockCacheConfig config,
      Access access,
      Filler blocks,
      BlockCacheMetrics metrics,
      ThreadFactory threads)
      throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      Path socket = bind(listener, config);
      ReaderServer server =
          new ReaderServer(config, access, blocks, metrics, listener, socket, threads);
      server.threads.execute(new Acceptor("a client of the block cache", listener, server::begin));
      return server;
    } catch (IOException | RuntimeException | Error e) {
      listener.close();
      throw e;
    }
  }

  private static Path bind(ServerSocketChannel listener, BlockCacheConfig config)
      throws IOException {
    try {
      Path parent = config.socket().getParent();
      // In JDK 17 createDirectories refuses a link to a directory.
      if (!Files.isDirectory(parent)) {
        Files.createDirectories(
            parent,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      }
      SocketDirectory directory = SocketDirectory.of(config.socket());
      if (config.guardSocket()) {
        directory.verifyOwn();
      }
      Path socket = directory.socket();
      if (isServed(socket)) {
        throw new IOException("another process serves there");
      }
      // A name left by a process that was killed.
      Files.deleteIfExists(socket);
      listener.bind(UnixDomainSocketAddress.of(socket), config.connections());
      // Any user may ask; the block token decides.
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      return socket;
    } catch (IOException e) {
      throw new IOException(
          "cannot serve clients on %s (%s). Make its directory writable for the DataNode's user only, or set %s"
              .formatted(config.socket(), e, BlockCacheConfig.SOCKET.key()),
          e);
    }
  }

  /** Two DataNodes on a host must not share a socket: clients would find the blocks of one only. */
  private static boolean isServed(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (ConnectException e) {
      return false;
    } catch (SocketException e) {
      // Its queue is full, or there is no such name.
      return Files.exists(socket);
    }
  }

  /** Where clients connect, without symbolic links above. */
  Path socket() {
    return socket;
  }

  private void begin(SocketChannel client) throws IOException {
    if (!places.tryAcquire()) {
      client.close();
      metrics.declined("too many clients");
      return;
    }
    try {
      clients.add(client);
      threads.execute(() -> serve(client));
    } catch (Throwable e) {
      ended(client);
      client.close();
      throw e;
    }
  }

  private void ended(SocketChannel client) {
    clients.remove(client);
    places.release();
  }

  private void serve(SocketChannel client) {
    try (client) {
      // The kernel knows a number; to look up its name may take long.
      serve(client, client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName());
    } catch (IOException e) {
      LOG.debug("A client left", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.warn("Serving a client failed; it reads from HDFS", e);
    } finally {
      ended(client);
    }
  }

  private void serve(SocketChannel client, String user) throws IOException, InterruptedException {
    if (!limits.connect(user)) {
      metrics.declined("too many clients");
      return;
    }
    try {
      new ReaderSession(client, user, access, blocks, limits, config, metrics).run();
    } finally {
      limits.disconnect(user);
    }
  }

  @Override
  public void close() throws IOException {
    // While this one listens the name is nobody else's.
    Files.deleteIfExists(socket);
    listener.close();
    threads.shutdownNow();
    for (SocketChannel client : clients) {
      client.close();
    }
  }
}
