package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Ticker;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.RemoteReplica;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.Closeable;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files this host brings in, and those it has brought in and still has. */
final class Downloads implements DownloadOwner, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);

  /** Nanoseconds. */
  private static final long LONG_TICK = Duration.ofSeconds(1).toNanos();

  /** Whether files take turns. See {@link Turns#inTurns}. */
  @FunctionalInterface
  interface TurnRule {
    boolean inTurns(Set<?> files, long bytes, long now);
  }

  private final DataNode datanode;
  private final BroadcastConfig config;
  private final Predicate<BlockKey> cached;
  private final Trackers trackers;
  private final BroadcastMetrics metrics;
  private final ExecutorService threads;
  private final TurnRule turns;
  private final Runnable begun;
  private final Dialer dialer;

  /** Bytes that have come, of all files. */
  private final AtomicLong arrived = new AtomicLong();

  private final Random random = new Random();

  /** Of the thread that ticks. */
  private long lastOrder = System.nanoTime();

  private final FailedSwarms failed = new FailedSwarms(Ticker.systemTicker());

  private final BannedPeers banned = new BannedPeers(Ticker.systemTicker());

  // Guarded by this.
  private final Map<BlockKey, Download> downloads = new HashMap<>();

  /**
   * @param cached whether a block is in the cache of this host
   * @param threads for all downloads; they end with this
   * @param begun called when there is one more to be looked after
   */
  Downloads(
      DataNode datanode,
      BroadcastConfig config,
      Predicate<BlockKey> cached,
      Trackers trackers,
      BroadcastMetrics metrics,
      ExecutorService threads,
      TurnRule turns,
      Runnable begun) {
    this.datanode = datanode;
    this.config = config;
    this.cached = cached;
    this.trackers = trackers;
    this.metrics = metrics;
    this.threads = threads;
    this.turns = turns;
    this.begun = begun;
    dialer = new Dialer(datanode, config, threads);
  }

  /** Whether a block is to be left to HDFS: it did not come a short while ago, or nothing did. */
  boolean avoids(BlockKey block) {
    return failed.avoids(block);
  }

  /**
   * Begins to bring a file.
   *
   * @param incoming closed when the download ends, and if none can be made
   * @param user whose reading begins it
   * @param joined the tracker's answer
   */
  void begin(IncomingBlocks incoming, String user, JoinResponseProto joined) {
    Download download = registered(incoming, user, joined);
    begun.run();
    metrics.joined();
    download.begin();
    introduce(download, joined);
  }

  private Download registered(IncomingBlocks incoming, String user, JoinResponseProto joined) {
    Download download;
    Download earlier;
    try {
      download = new Download(incoming, user, joined, config, this, metrics, random());
      earlier = put(download);
    } catch (RuntimeException | Error e) {
      incoming.close();
      throw e;
    }
    if (earlier != null) {
      earlier.close();
    }
    return download;
  }

  private synchronized Random random() {
    return new Random(random.nextLong());
  }

  private synchronized Download put(Download download) {
    return downloads.put(download.layout().name(), download);
  }

  /**
   * Somebody who may read a file has come here and says that it is in the swarm.
   *
   * @param datanode UUID; the tracker knows whether that is true, and the address
   */
  void claimed(BlockKey file, String datanode) {
    Download download;
    synchronized (this) {
      download = downloads.get(file);
    }
    if (download != null) {
      download.acquaintances().claimed(datanode);
    }
  }

  @Override
  public void connect(Download download, Introduction to) {
    dialer.connect(download, to);
  }

  @Override
  public boolean isBanned(String peer) {
    return banned.contain(peer);
  }

  @Override
  public void ban(String peer) {
    banned.ban(peer);
  }

  @Override
  public void arriving(int bytes) {
    arrived.addAndGet(bytes);
  }

  @Override
  public void fruitful() {
    failed.succeeded();
  }

  @Override
  public void ended(Download download, boolean whole, boolean fruitless) {
    if (fruitless || !whole) {
      failed.failed(whole ? List.of() : download.layout().keys(), fruitless);
    }
  }

  @Override
  public void readPlainly(Download download) {
    threads.execute(download.plainReads());
  }

  @Override
  public Replica replica(DatanodeID holder, ExtendedBlock block, Duration patience) {
    return new RemoteReplica(datanode, holder, block, patience, OptionalInt.empty());
  }

  /**
   * Called a few times a second by one thread.
   *
   * @param now {@link System#nanoTime}
   */
  void tick(long now) {
    List<Download> underWay = underWay();
    order(underWay, now);
    for (Download download : underWay) {
      List<String> claims = download.acquaintances().takeClaims();
      if (!claims.isEmpty()) {
        inBackground(download, claims);
      }
      if (download.tick(now)) {
        inBackground(download, List.of());
      }
    }
  }

  /**
   * Where files take turns the one of which least is missing goes first, unless nothing comes of
   * it: together all would come as late as the last one. Nobody gives way to it if any of the
   * others may not, which would have what they leave.
   */
  private void order(List<Download> files, long now) {
    // While this process stood still nothing could come.
    long stoodStill = now - lastOrder > LONG_TICK ? now - lastOrder : 0;
    lastOrder = now;
    List<Download> inTurn = files.stream().filter(Download::takesTurns).toList();
    Optional<Download> first =
        inTurn.stream()
            .filter(file -> file.isComing(now - stoodStill))
            .min(Comparator.comparingLong(Download::missingBytes));
    boolean isPossible =
        first.isPresent()
            && inTurn.stream().allMatch(file -> file == first.get() || file.mayGiveWay(now));
    Set<BlockKey> able =
        isPossible
            ? inTurn.stream().map(file -> file.layout().name()).collect(Collectors.toSet())
            : Set.of();
    boolean take = turns.inTurns(able, arrived.get(), now);
    inTurn.forEach(file -> file.giveWay(take && file != first.get(), now));
  }

  private void inBackground(Download download, List<String> claims) {
    try {
      threads.execute(() -> introduceAgain(download, claims));
    } catch (RuntimeException | Error e) {
      // Such as for want of threads; other downloads are to be looked after, too.
      notAsked(download, e);
    }
  }

  /** For a tracker that has forgotten us. */
  void joinAgain(Download download) {
    introduceAgain(download, List.of());
  }

  /** For other neighbours, or for those of whom it is known that they have claimed to be some. */
  private void introduceAgain(Download download, List<String> claims) {
    try {
      JoinResponseProto answer = trackers.joinAgain(download.layout().name(), claims);
      if (!answer.hasDeclined() || !answer.getElsewhere()) {
        download.tracked(!answer.hasDeclined());
      }
      introduce(download, answer);
    } catch (RuntimeException e) {
      notAsked(download, e);
    }
  }

  private static void notAsked(Download download, Throwable cause) {
    LOG.warn("The tracker could not be asked for {} again", download.path(), cause);
  }

  private static void introduce(Download download, JoinResponseProto answer) {
    download.plainReads().heed(answer);
    answer.getNeighboursList().stream().map(Introduction::of).forEach(download::introduce);
  }

  /** Those that the tracker is to be told of. */
  List<Download> tracked() {
    return all().stream().filter(Download::isTracked).toList();
  }

  /** Whether there is nothing to be looked after. */
  boolean areIdle() {
    return underWay().isEmpty();
  }

  private synchronized List<Download> underWay() {
    return downloads.values().stream().filter(download -> !download.ended()).toList();
  }

  /** Those under way, and those whose bytes are still here. */
  synchronized List<Download> all() {
    downloads
        .values()
        .removeIf(
            download ->
                download.ended()
                    && !download.blocks().stream().allMatch(block -> cached.test(block.key())));
    return List.copyOf(downloads.values());
  }

  @Override
  public void close() {
    List<Download> left;
    synchronized (this) {
      left = List.copyOf(downloads.values());
      downloads.clear();
    }
    left.forEach(Download::close);
    threads.shutdownNow();
  }
}
