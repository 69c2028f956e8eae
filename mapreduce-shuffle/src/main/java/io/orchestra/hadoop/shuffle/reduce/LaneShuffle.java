package io.orchestra.hadoop.shuffle.reduce;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import io.orchestra.hadoop.shuffle.algorithm.Demand;
import io.orchestra.hadoop.shuffle.algorithm.LaneLimits;
import io.orchestra.hadoop.shuffle.algorithm.Lanes;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.LaneScheduler;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleParts;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shuffle of one reduce attempt, with lanes. The parts are Hadoop's, but for the choice of what
 * is fetched next and for ranges of large outputs.
 */
public final class LaneShuffle<K, V> implements ShuffleConsumerPlugin<K, V>, ExceptionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(LaneShuffle.class);

  /** Within which new lanes begin, and ranges that are not needed any more are dropped. */
  private static final int LOOK_MILLIS = 100;

  private static final int LONGEST_END_SECONDS = 10;

  private static final int FETCHERS = 5;

  /** What all reducers of a job may ask of its master at once, as stock. */
  private static final int EVENTS_OF_ALL = 3_000_000;

  private static final int LEAST_EVENTS = 100;
  private static final int MOST_EVENTS = 10_000;

  private final Closer parts = Closer.create();
  private final ShuffleConfig config;
  private final List<LaneFetcher<K, V>> fetchers = new ArrayList<>();
  private Context<K, V> context;
  private SizeAsker asker;
  private Deadlines deadlines;
  private volatile Sources sources;
  private volatile LaneScheduler<K, V> scheduler;
  private MergeManagerImpl<K, V> merger;
  private RangedOutputs<K, V> ranged;
  private ShuffleClientMetrics metrics;
  private long startMillis;

  // Guarded by this.
  private Throwable failure;
  private String failedThread;

  public LaneShuffle(ShuffleConfig config) {
    this.config = config;
  }

  @Override
  public void init(Context<K, V> shuffleContext) {
    context = shuffleContext;
    JobConf conf = context.getJobConf();
    metrics = ShuffleClientMetrics.create(context.getReduceId(), conf);
    int copies = conf.getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, FETCHERS);
    boolean divide = config.ranges() && !CryptoUtils.isEncryptedSpillEnabled(conf);
    parts.register(this::forget);
    deadlines = parts.register(new Deadlines());
    asker =
        parts.register(
            new SizeAsker(
                context.getReduceId().getTaskID(),
                new Connections<>(context)::open,
                context.getReduceTask().getShuffleSecret(),
                this::ready,
                deadlines));
    asker.prepare();
    merger =
        new MergeManagerImpl<>(
            context.getReduceId(),
            conf,
            context.getLocalFS(),
            context.getLocalDirAllocator(),
            context.getReporter(),
            context.getCodec(),
            context.getCombinerClass(),
            context.getCombineCollector(),
            context.getSpilledRecordsCounter(),
            context.getReduceCombineInputCounter(),
            context.getMergedMapOutputsCounter(),
            this,
            context.getMergePhase(),
            context.getMapOutputFile());
    long largest = ShuffleParts.largestInMemory(merger);
    long memory = ShuffleParts.memoryLimit(merger);
    // As in MergeManagerImpl, which keeps it to itself.
    float merged =
        conf.getFloat(MRJobConfig.SHUFFLE_MERGE_PERCENT, MRJobConfig.DEFAULT_SHUFFLE_MERGE_PERCENT);
    ranged = new RangedOutputs<>(merger, context.getMapOutputFile(), largest);
    // What is compressed can be put together in a file only.
    long whole = context.getCodec() == null ? Math.min(largest, LaneLimits.SHORT) : largest;
    LaneLimits limits =
        LaneLimits.of(
            copies,
            divide ? whole : LaneLimits.ALL,
            new LaneLimits.Memory(memory, (long) (memory * merged), largest));
    sources =
        new Sources(
            new Lanes<>(conf.getNumReduceTasks(), limits, config.gate(), new Random()),
            asker,
            config.sizeWait(),
            Time::monotonicNow);
    scheduler = new LaneScheduler<>(context, this, sources, Time::monotonicNow);
  }

  /** An answer may still come when the shuffle is over. */
  private void ready(String host, Map<TaskAttemptID, Optional<Sources.Size>> sizes) {
    Sources told = sources;
    if (told != null) {
      told.ready(host, sizes);
    }
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    try {
      copy();
      release();
      context.getCopyPhase().complete();
      context.getStatus().setPhase(TaskStatus.Phase.SORT);
      context.getReduceTask().statusUpdate(context.getUmbilical());
      return merge();
    } catch (Throwable e) {
      abandon();
      throw e;
    }
  }

  private void copy() throws IOException, InterruptedException {
    int events =
        Math.min(
            MOST_EVENTS,
            Math.max(LEAST_EVENTS, EVENTS_OF_ALL / context.getJobConf().getNumReduceTasks()));
    Closeable following =
        parts.register(
            ShuffleParts.followEvents(
                context.getReduceId(), context.getUmbilical(), scheduler, this, events));
    startMillis = Time.monotonicNow();
    addLanes();
    while (!scheduler.waitUntilDone(LOOK_MILLIS)) {
      context.getReporter().progress();
      verify();
      addLanes();
      ranged.retain(sources::isNeeded);
    }
    following.close();
    explain();
  }

  /** As many fetchers as there may be lanes; those that are too many wait. */
  private void addLanes() {
    while (fetchers.size() < sources.limit()) {
      LaneFetcher<K, V> fetcher =
          new LaneFetcher<>(context, scheduler, merger, sources, ranged, deadlines, metrics, this);
      fetchers.add(fetcher);
      fetcher.start();
    }
  }

  private RawKeyValueIterator merge() throws IOException {
    RawKeyValueIterator merged;
    try {
      merged = merger.close();
    } catch (Throwable e) {
      throw ShuffleParts.failure("the final merge failed", e);
    }
    try {
      verify();
    } catch (IOException e) {
      merged.close();
      throw e;
    }
    return merged;
  }

  private void verify() throws IOException {
    synchronized (this) {
      if (failure != null) {
        throw ShuffleParts.failure("the shuffle failed in " + failedThread, failure);
      }
    }
  }

  /** What {@link #init} began, if the shuffle could not begin or not end. */
  public void abandon() {
    try {
      release();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Not all of the shuffle could be released", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (merger != null) {
        ShuffleParts.discard(merger);
      }
    }
  }

  /** All of it, whatever fails. The reduce phase has the memory for itself. */
  private void release() throws IOException, InterruptedException {
    try {
      endLanes();
    } finally {
      try {
        endScheduler();
      } finally {
        parts.close();
      }
    }
  }

  private void endScheduler() throws InterruptedException {
    LaneScheduler<K, V> ended = scheduler;
    scheduler = null;
    if (ended != null) {
      ended.close();
    }
  }

  private void forget() {
    if (ranged != null) {
      ranged.abort();
    }
    fetchers.clear();
    sources = null;
    ranged = null;
  }

  /** All at once: a fetcher that connects to a dead host takes five seconds to give up. */
  private void endLanes() throws InterruptedException {
    if (fetchers.isEmpty()) {
      return;
    }
    ExecutorService ends =
        Executors.newFixedThreadPool(
            fetchers.size(),
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-shuffle-end-%d")
                .setDaemon(true)
                .build());
    try {
      List<Future<Void>> unused =
          ends.invokeAll(
              fetchers.stream().<Callable<Void>>map(LaneShuffle::end).toList(),
              LONGEST_END_SECONDS,
              TimeUnit.SECONDS);
    } finally {
      ends.shutdownNow();
    }
  }

  private static Callable<Void> end(LaneFetcher<?, ?> fetcher) {
    return () -> {
      fetcher.shutDown();
      return null;
    };
  }

  /** What this reducer saw, what it made of it, and what came of it. */
  private void explain() {
    Demand demand = sources.demand();
    LOG.info(
        "Shuffle of {}: {} bytes in {} ms; {} map outputs from {} hosts, {} of known size, {} fetched in ranges; at"
            + " most {} lanes, {} of {} requests by weight; {} hosts tell no sizes; the busiest link known carries {}"
            + " bytes, a reducer gets {} on average",
        context.getReduceId(),
        context.getReduceShuffleBytes().getCounter(),
        Time.monotonicNow() - startMillis,
        context.getShuffledMapsCounter().getCounter(),
        sources.hosts(),
        sources.measured(),
        ranged.count(),
        sources.mostLanes(),
        sources.weightedRequests(),
        sources.requests(),
        asker.silentHosts(),
        Math.round(demand.bottleneck()),
        Math.round(demand.mean()));
  }

  @Override
  public void close() {}

  @Override
  public void reportException(Throwable cause) {
    synchronized (this) {
      if (failure != null) {
        return;
      }
      failure = cause;
      failedThread = Thread.currentThread().getName();
    }
    LaneScheduler<K, V> waiting = scheduler;
    if (waiting != null) {
      synchronized (waiting) {
        waiting.notifyAll();
      }
    }
  }
}
