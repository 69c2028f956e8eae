package io.orchestra.hadoop.core.blockcache;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.Closeable;
import java.io.IOException;
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
  private final UserLimits limits;
  private final Access access;
  private final Filler blocks;
  private final BlockCacheMetrics metrics;
  private final ServerSocketChannel listener;
  private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-block-cache-%d")
              .setDaemon(true)
              .build());

  private ReaderServer(
      BlockCacheConfig config,
      UserLimits limits,
      Access access,
      Filler blocks,
      BlockCacheMetrics metrics,
      ServerSocketChannel listener) {
    this.config = config;
    this.limits = limits;
    this.access = access;
    this.blocks = blocks;
    this.metrics = metrics;
    this.listener = listener;
  }

  /**
   * @param blocks where a block comes from
   * @throws IOException if the socket cannot be made; the message has the remedy
   */
  static ReaderServer listen(
      BlockCacheConfig config,
      UserLimits limits,
      Access access,
      Filler blocks,
      BlockCacheMetrics metrics)
      throws IOException {
    ReaderServer server = new ReaderServer(config, limits, access, blocks, metrics, bind(config));
    server.threads.execute(server::accept);
    return server;
  }

  private static ServerSocketChannel bind(BlockCacheConfig config) throws IOException {
    Path socket = config.socket();
    try {
      Files.createDirectories(
          socket.getParent(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      if (config.guardSocket()) {
        SocketDirectory.verify(socket);
      }
      // A name left by a process that was killed: nobody listens there any more.
      Files.deleteIfExists(socket);
      ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        listener.bind(UnixDomainSocketAddress.of(socket));
        // Any user may ask; the block token decides.
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
        return listener;
      } catch (IOException | RuntimeException e) {
        listener.close();
        throw e;
      }
    } catch (IOException e) {
      throw new IOException(
          "cannot serve clients on %s (%s). Make its directory writable for the DataNode's user only, or set %s"
              .formatted(socket, e, BlockCacheConfig.SOCKET.key()),
          e);
    }
  }

  Path socket() {
    return config.socket();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        begin(listener.accept());
      } catch (IOException e) {
        if (listener.isOpen()) {
          LOG.warn("The block cache could not accept a client", e);
        }
      }
    }
  }

  private void begin(SocketChannel client) throws IOException {
    String user;
    try {
      user = client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
      if (!limits.connect(user)) {
        metrics.declined("too many clients");
        client.close();
        return;
      }
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
    clients.add(client);
    threads.execute(() -> serve(client, user));
  }

  private void serve(SocketChannel client, String user) {
    try (client) {
      new ReaderSession(client, user, access, blocks, config.waitLimit(), metrics).run();
    } catch (IOException e) {
      LOG.debug("A client of {} left", user, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.warn("Serving a client of {} failed; it reads from HDFS", user, e);
    } finally {
      clients.remove(client);
      limits.disconnect(user);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    Files.deleteIfExists(config.socket());
    threads.shutdownNow();
    for (SocketChannel client : clients) {
      client.close();
    }
  }
}
