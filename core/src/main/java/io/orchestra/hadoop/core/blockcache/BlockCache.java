package io.orchestra.hadoop.core.blockcache;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.hdfs.server.datanode.BlockReadAccess;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The block cache of one DataNode. The first plugin that {@link #join}s makes it, the last that
 * closes its {@link Membership} ends it.
 */
public final class BlockCache {
  private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);
  private static final Duration SWEEP = Duration.ofSeconds(1);

  /** Several DataNodes share a JVM in mini clusters. Guarded by itself. */
  private static final Map<DataNode, BlockCache> CACHES = new HashMap<>();

  private final Closer parts = Closer.create();
  private final BlockStore store;
  private final BlockCacheMetrics metrics;
  private final List<Filler> fillers = new CopyOnWriteArrayList<>();

  /** Guarded by {@link #CACHES}. */
  private int members;

  private BlockCache(DataNode datanode, BlockCacheConfig config) throws IOException {
    try {
      store =
          parts.register(
              BlockStore.open(new CacheDirectory(config.directory()), config.capacity()));
      metrics = parts.register(new BlockCacheMetrics(store));
      ReaderServer.Access access =
          (block, token) -> BlockReadAccess.verify(datanode, block.extended(0), token);
      ReaderServer server =
          parts.register(
              ReaderServer.listen(
                  config, access, this::open, metrics, threads("orchestra-block-cache-%d")));
      parts.register(
          RepeatedTask.start(
              "orchestra-block-cache-sweeper",
              SWEEP,
              SWEEP,
              new GuardedTask(
                  "Dropping idle blocks of the cache", () -> store.dropIdle(config.idleTime()))));
      LOG.info("Serving cached blocks on {}", server.socket());
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static ThreadFactory threads(String name) {
    return new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build();
  }

  /** A plugin's part in the cache of its DataNode. */
  public static final class Membership implements Closeable {
    private final DataNode datanode;
    private final BlockCache cache;
    private final List<Filler> fillers = new CopyOnWriteArrayList<>();
    private boolean closed;

    private Membership(DataNode datanode, BlockCache cache) {
      this.datanode = datanode;
      this.cache = cache;
    }

    public BlockCache cache() {
      return cache;
    }

    /**
     * @param filler asked after those of earlier members
     */
    public void fillWith(Filler filler) {
      fillers.add(filler);
      cache.fillers.add(filler);
    }

    @Override
    public void close() throws IOException {
      synchronized (CACHES) {
        if (closed) {
          return;
        }
        closed = true;
        cache.fillers.removeAll(fillers);
        if (--cache.members > 0) {
          return;
        }
        CACHES.remove(datanode);
      }
      cache.parts.close();
    }
  }

  /**
   * @throws IOException if the cache's directory or socket cannot be made; the message has the
   *     remedy
   */
  public static Membership join(DataNode datanode, BlockCacheConfig config) throws IOException {
    synchronized (CACHES) {
      BlockCache cache = CACHES.get(datanode);
      if (cache == null) {
        cache = new BlockCache(datanode, config);
        CACHES.put(datanode, cache);
      }
      cache.members++;
      return new Membership(datanode, cache);
    }
  }

  /** Whether a block is here, whole or filling; asking does not count as use. */
  public boolean has(BlockKey key) {
    return store.has(key);
  }

  /** A block that is here, whole or filling. */
  public Optional<Lease> find(BlockKey key) {
    return store.find(key);
  }

  /**
   * Whether there is room for blocks that are not here.
   *
   * @param blocks how many
   * @param bytes of all of them
   */
  public boolean fits(int blocks, long bytes) {
    return store.fits(blocks, bytes);
  }

  /**
   * Begins a block, or finds it begun, perhaps in other pieces.
   *
   * @return empty if the cache has no room for it
   * @throws IOException if the cache's disk refuses
   */
  public Optional<Lease> begin(BlockKey key, BlockPieces pieces) throws IOException {
    return store.begin(key, pieces);
  }

  /**
   * Whoever had the block brought here may have known less of it: while it was written, or because
   * he lied. What is here is right as far as it goes.
   */
  public static Offer offer(Lease here, ReadRequest request) {
    if (request.visibleLength() > here.block().pieces().blockLength()) {
      here.close();
      return new Offer.Declined("here only in part");
    }
    return new Offer.Filling(here);
  }

  private Offer open(ReadRequest request) throws InterruptedException {
    Optional<Lease> here = store.find(request.block());
    if (here.isPresent()) {
      Offer offer = offer(here.get(), request);
      if (offer instanceof Offer.Filling) {
        metrics.hit();
      } else {
        metrics.miss();
      }
      return offer;
    }
    metrics.miss();
    if (request.purpose() == ReadRequest.Purpose.MAP_INPUT) {
      // Nearly all of these are on this host already: nobody is asked to bring them.
      return new Offer.Declined("not brought ahead");
    }
    Offer last = new Offer.Declined("nobody brings blocks here");
    for (Filler filler : fillers) {
      last = filler.offer(request);
      if (last instanceof Offer.Filling) {
        return last;
      }
    }
    return last;
  }
}
