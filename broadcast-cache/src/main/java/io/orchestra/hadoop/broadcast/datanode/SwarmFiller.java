package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.Striped;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Filler;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.Offer;
import io.orchestra.hadoop.core.blockcache.ReadRequest;
import io.orchestra.hadoop.core.daemon.LogText;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills the block cache: begins the download of a file when somebody wants to read it. */
final class SwarmFiller implements Filler {
  private static final Logger LOG = LoggerFactory.getLogger(SwarmFiller.class);

  private final BroadcastConfig config;
  private final BlockCache cache;
  private final Replicas replicas;
  private final Trackers trackers;
  private final Downloads downloads;
  private final FilesUnderWay underWay;
  private final ShortFiles shortFiles;
  private final Striped<Lock> joins = Striped.lock(64);

  /** It may happen with every file. */
  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);

  // Guarded by this.
  private final Set<BlockKey> joining = new HashSet<>();

  /**
   * @param bytesPerUser that may be under way at once
   */
  SwarmFiller(
      BroadcastConfig config,
      BlockCache cache,
      Replicas replicas,
      Trackers trackers,
      Downloads downloads,
      long bytesPerUser) {
    this.config = config;
    this.cache = cache;
    this.replicas = replicas;
    this.trackers = trackers;
    this.downloads = downloads;
    underWay = new FilesUnderWay(downloads::all, bytesPerUser);
    shortFiles = new ShortFiles(config.minFileSize());
  }

  @Override
  public Offer offer(ReadRequest request) throws InterruptedException {
    BlockKey block = request.block();
    // The last block of a long file is here since the file was begun.
    if (shortFiles.contain(request)) {
      return new Offer.Declined("a small file");
    }
    if (downloads.avoids(block)) {
      return new Offer.Declined("given up a short while ago");
    }
    Lock lock = joins.get(block);
    if (!lock.tryLock(config.joinTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
      return new Offer.Declined("the tracker is slow");
    }
    try {
      begin(block);
      // Another reader may have brought it meanwhile.
      Optional<Lease> here = cache.find(block);
      if (here.isPresent()) {
        return BlockCache.offer(here.get(), request);
      }
      return replicas.has(block) ? new Offer.Declined("a replica is on this host") : join(request);
    } catch (IOException e) {
      return declined(request, "trouble with the disk", e.toString());
    } finally {
      begun(block);
      lock.unlock();
    }
  }

  private synchronized void begin(BlockKey block) {
    joining.add(block);
  }

  private synchronized void begun(BlockKey block) {
    joining.remove(block);
    notifyAll();
  }

  /** Waits while this host is about to begin the same file. */
  synchronized void awaitBegun(FileLayout layout, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (joining.stream().anyMatch(layout::contains)) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  private Offer join(ReadRequest request) throws IOException {
    BlockKey block = request.block();
    if (underWay.isFull(request.user())) {
      return new Offer.Declined(FilesUnderWay.TOO_MANY);
    }
    JoinResponseProto answer = trackers.join(block);
    shortFiles.heed(answer);
    if (answer.hasDeclined()) {
      return new Offer.Declined(answer.getDeclined());
    }
    FileLayout layout = FileLayout.of(block.pool(), answer);
    if (!layout.contains(block)) {
      return new Offer.Declined("the file has changed");
    }
    FilesUnderWay.File file = new FilesUnderWay.File(request.user(), layout.length());
    Optional<String> refusal = underWay.take(file);
    if (refusal.isPresent()) {
      return declined(request, refusal.get(), underWay.limits(file));
    }
    try {
      return begin(request, layout, answer);
    } finally {
      underWay.giveBack(file);
    }
  }

  private Offer begin(ReadRequest request, FileLayout layout, JoinResponseProto answer)
      throws IOException {
    Map<Integer, Lease> leases = new HashMap<>();
    Optional<Offer> declined = beginAll(request, layout, leases);
    if (declined.isPresent()) {
      return declined.get();
    }
    if (leases.isEmpty()) {
      return new Offer.Declined("a replica is on this host");
    }
    Optional<Lease> wanted = Optional.empty();
    boolean givenAway = false;
    try {
      // For the reader, who may need it longer than the download does.
      wanted = cache.find(request.block());
      IncomingBlocks incoming = new IncomingBlocks(layout, leases);
      givenAway = true;
      downloads.begin(incoming, request.user(), answer);
    } catch (RuntimeException | Error e) {
      // Such as for want of threads or memory.
      wanted.ifPresent(Lease::close);
      if (!givenAway) {
        leases.values().forEach(Lease::close);
      }
      throw e;
    }
    return wanted
        .<Offer>map(Offer.Filling::new)
        .orElseGet(() -> new Offer.Declined("the cache dropped it at once"));
  }

  private Offer declined(ReadRequest request, String reason, String details) {
    if (warnings.tryAcquire()) {
      LOG.warn(
          "{} is read from HDFS: {}: {} (told at most once a minute)",
          LogText.of(request.path()),
          reason,
          details);
    }
    return new Offer.Declined(reason);
  }

  /**
   * Begins all blocks of which there is no replica here, or none of them.
   *
   * @param leases where those begun go, by number of the block
   * @return why none was begun
   */
  private Optional<Offer> beginAll(
      ReadRequest request, FileLayout layout, Map<Integer, Lease> leases) throws IOException {
    if (!cache.fits(layout.blocks(), missing(layout))) {
      // Or its first blocks would drive others out, and its last ones find no room.
      return Optional.of(noRoom(request, layout));
    }
    boolean all = false;
    try {
      for (int block = 0; block < layout.blocks(); block++) {
        if (replicas.has(layout.key(block))) {
          continue;
        }
        BlockPieces pieces = layout.cut(block);
        Optional<Lease> lease = cache.begin(layout.key(block), pieces);
        if (lease.isEmpty()) {
          return Optional.of(noRoom(request, layout));
        }
        leases.put(block, lease.get());
        if (!lease.get().block().pieces().equals(pieces)) {
          return Optional.of(new Offer.Declined("a block was brought ahead in other pieces"));
        }
      }
      all = true;
      return Optional.empty();
    } finally {
      if (!all) {
        leases.values().forEach(Lease::close);
      }
    }
  }

  /** Bytes of the blocks that are neither cached here nor replicas. */
  private long missing(FileLayout layout) {
    return IntStream.range(0, layout.blocks())
        .filter(block -> !replicas.has(layout.key(block)) && !cache.has(layout.key(block)))
        .mapToLong(block -> layout.cut(block).blockLength())
        .sum();
  }

  private Offer noRoom(ReadRequest request, FileLayout layout) {
    return declined(
        request,
        "no room in the cache",
        "%d bytes, and others are in use. Raise %scapacity"
            .formatted(layout.length(), BlockCacheConfig.PREFIX));
  }
}
