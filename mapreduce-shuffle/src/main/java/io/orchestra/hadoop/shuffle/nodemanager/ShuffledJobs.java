package io.orchestra.hadoop.shuffle.nodemanager;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.ShuffleRequest;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What the reducers of each job have asked of late. Safe for concurrent use. */
final class ShuffledJobs implements ShuffledJobsMXBean {
  private static final int MOST_JOBS = 100;

  /** Whoever asks for all of JMX gets all of these, too. */
  private static final Duration KEPT = Duration.ofHours(1);

  /** Of a job. About 100 bytes each. */
  static final int MOST_REDUCERS = 1000;

  private final LoadingCache<String, ConcurrentMap<Integer, ReducerView>> jobs =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_JOBS)
          .expireAfterAccess(KEPT)
          .build(CacheLoader.from(unused -> new ConcurrentHashMap<>()));

  /**
   * A reducer that has proved who it is has asked for this, and is answered. Those that come first
   * are counted, if a job has very many.
   */
  void told(ShuffleRequest request) {
    ConcurrentMap<Integer, ReducerView> reducers = jobs.getUnchecked(request.job());
    if (reducers.size() < MOST_REDUCERS || reducers.containsKey(request.reduce())) {
      long bytes = request instanceof RangeRequest range ? range.length() : 0;
      reducers.merge(
          request.reduce(),
          new ReducerView(bytes == 0 ? 1 : 0, bytes == 0 ? 0 : 1, bytes),
          ReducerView::plus);
    }
  }

  @Override
  public Map<String, Map<Integer, ReducerView>> getJobs() {
    // JMX takes sorted maps without a comparator only.
    Map<String, Map<Integer, ReducerView>> copy = new TreeMap<>();
    jobs.asMap().forEach((job, reducers) -> copy.put(job, new TreeMap<>(reducers)));
    return copy;
  }
}
