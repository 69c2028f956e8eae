package io.orchestra.hadoop.core.blockcache;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one block from the block cache of this host, piece by piece, and verifies each piece.
 *
 * <p>The first failure ends it with an {@link IOException}. HDFS's client then asks for an accessor
 * again (DFSInputStream.readBuffer), gets none for this block, and goes on from HDFS where it was.
 * A positional read does not ask again: it takes the replica's DataNode for dead, and the next one.
 */
final class LocalReplicaAccessor extends ReplicaAccessor {
  private static final Logger LOG = LoggerFactory.getLogger(LocalReplicaAccessor.class);

  private static final int MOST_KEYS = 1000;

  /** Blocks that failed in the middle a short while ago, and sockets where nobody serves. */
  private static final RecentKeys<Object> AVOIDED =
      new RecentKeys<>(MOST_KEYS, Duration.ofMinutes(1));

  /**
   * Input that was left to HDFS a moment ago. A map asks anew whenever it reads elsewhere in a
   * block, and nearly all input is on this host already.
   */
  private static final RecentKeys<BlockKey> LEFT =
      new RecentKeys<>(MOST_KEYS, Duration.ofSeconds(2));

  private final Path socket;
  private final BlockKey block;
  private final CacheConnection connection;
  private final PieceSums sums;
  private ByteBuffer piece = ByteBuffer.allocate(0);
  private int loaded = -1;

  private LocalReplicaAccessor(
      Path socket, BlockKey block, CacheConnection connection, PieceSums sums) {
    this.socket = socket;
    this.block = block;
    this.connection = connection;
    this.sums = sums;
  }

  /**
   * @param visibleLength where in the block the read may end, bytes
   * @param token a serialized block token
   * @return empty if the block is to be read from HDFS
   */
  static Optional<ReplicaAccessor> open(
      Configuration conf,
      BlockKey block,
      long visibleLength,
      byte[] token,
      String path,
      ReadRequest.Purpose purpose) {
    boolean isInput = purpose == ReadRequest.Purpose.MAP_INPUT;
    if (avoided(block) || (isInput && LEFT.contains(block))) {
      return Optional.empty();
    }
    try {
      SettingReader settings = new SettingReader(conf);
      boolean enabled = settings.read(BlockCacheConfig.ENABLED);
      Path socket = Path.of(settings.read(BlockCacheConfig.SOCKET));
      boolean guarded = settings.read(BlockCacheConfig.GUARD_SOCKET);
      Duration waitLimit =
          settings.read(isInput ? BlockCacheConfig.MAP_INPUT_WAIT : BlockCacheConfig.WAIT_LIMIT);
      settings.verify();
      // No socket: no DataNode here, or its cache is off.
      if (!enabled || avoided(socket) || !Files.exists(socket)) {
        return Optional.empty();
      }
      Optional<CacheConnection> connection = connect(socket, guarded, waitLimit);
      return connection.isPresent()
          ? open(socket, connection.get(), block, visibleLength, token, path, purpose)
          : Optional.empty();
    } catch (IOException | InvalidConfigurationException e) {
      LOG.warn("{} of {} is read from HDFS: {}", block, path, e.getMessage());
      LOG.debug("The block cache did not answer", e);
      return Optional.empty();
    }
  }

  private static boolean avoided(Object what) {
    return AVOIDED.contains(what);
  }

  /** Asks nobody there for a minute. */
  private static void avoid(Path socket, IOException trouble) {
    if (AVOIDED.add(socket)) {
      LOG.warn(
          "No block cache serves on {}; for a minute all is read from HDFS: {}",
          socket,
          trouble.toString());
      LOG.debug("The block cache did not answer", trouble);
    }
  }

  private static Optional<CacheConnection> connect(Path socket, boolean guarded, Duration waitLimit)
      throws ClosedByInterruptException {
    try {
      return CacheConnection.connect(socket, guarded, waitLimit);
    } catch (ClosedByInterruptException e) {
      // That says nothing of the cache.
      throw e;
    } catch (IOException e) {
      avoid(socket, e);
      return Optional.empty();
    }
  }

  private static Optional<ReplicaAccessor> open(
      Path socket,
      CacheConnection connection,
      BlockKey block,
      long visibleLength,
      byte[] token,
      String path,
      ReadRequest.Purpose purpose)
      throws IOException {
    try {
      Optional<PieceSums> sums = connection.open(block, visibleLength, token, path, purpose);
      if (sums.isPresent()) {
        return Optional.of(new LocalReplicaAccessor(socket, block, connection, sums.get()));
      }
      connection.close();
      if (purpose == ReadRequest.Purpose.MAP_INPUT) {
        boolean unused = LEFT.add(block);
      }
    } catch (SocketTimeoutException e) {
      connection.close();
      avoid(socket, e);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
    return Optional.empty();
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    return read(position, ByteBuffer.wrap(target, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (position >= sums.pieces().blockLength()) {
      return -1;
    }
    int start = target.position();
    for (long at = position; target.hasRemaining() && at < sums.pieces().blockLength(); ) {
      ByteBuffer here = at(at);
      here.limit(here.position() + Math.min(here.remaining(), target.remaining()));
      at += here.remaining();
      target.put(here);
    }
    return target.position() - start;
  }

  /** The bytes from {@code position} to the end of their piece. */
  private ByteBuffer at(long position) throws IOException {
    int wanted = sums.pieces().at(position);
    if (wanted != loaded) {
      load(wanted);
    }
    ByteBuffer bytes = piece.duplicate();
    return bytes.position(Math.toIntExact(position - sums.pieces().position(wanted)));
  }

  private void load(int wanted) throws IOException {
    loaded = -1;
    int length = sums.pieces().length(wanted);
    if (piece.capacity() < length) {
      piece = ByteBuffer.allocate(length);
    }
    piece.clear().limit(length);
    try {
      connection.read(wanted, piece);
      piece.flip();
      if (!sums.matches(wanted, piece)) {
        connection.complain(wanted);
        throw new IOException(
            "piece %d of %s changed in the cache of this host".formatted(wanted, block));
      }
    } catch (IOException e) {
      // A reader that is to end says nothing of the cache to others of this process.
      if (!Thread.currentThread().isInterrupted()) {
        boolean unused = AVOIDED.add(block);
        if (e instanceof SocketTimeoutException) {
          avoid(socket, e);
        }
      }
      throw e;
    }
    loaded = wanted;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public boolean isShortCircuit() {
    return false;
  }
}
