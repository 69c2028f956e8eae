package org.apache.hadoop.mapreduce.task.reduce;

import io.orchestra.hadoop.shuffle.reduce.LaneHost;
import io.orchestra.hadoop.shuffle.reduce.Sources;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;

/**
 * Hadoop's own scheduler of a reducer's fetchers, but for the choice of what is fetched next: that
 * is {@link Sources}'. Counting, progress, failures, reports to the application's master and
 * penalties are Hadoop's.
 */
public final class LaneScheduler<K, V> extends ShuffleSchedulerImpl<K, V> {
  /** What Hadoop's service asks for that has too many connections (ShuffleHandler). */
  private static final long USUAL_REST_MILLIS = 1000;

  /** As in Hadoop's Fetcher. */
  private static final int USUAL_CONNECT_MILLIS = 180_000;

  private final Sources sources;
  private final LongSupplier clock;

  /** Hadoop bounds the penalties for failures itself, but not what a busy host asks for. */
  private final long longestPenalty;

  /** For so long Hadoop's fetcher tries to open a connection. */
  private final long connectMillis;

  /** Since when hosts refuse connections that have brought nothing since. Guarded by this. */
  private final Map<String, Long> refusing = new HashMap<>();

  /**
   * @param clock milliseconds
   */
  public LaneScheduler(
      org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context<K, V> context,
      ExceptionReporter reporter,
      Sources sources,
      LongSupplier clock) {
    super(
        context.getJobConf(),
        context.getStatus(),
        context.getReduceId(),
        reporter,
        context.getCopyPhase(),
        context.getShuffledMapsCounter(),
        context.getReduceShuffleBytes(),
        context.getFailedShuffleCounter());
    this.sources = sources;
    this.clock = clock;
    connectMillis =
        context.getJobConf().getInt(MRJobConfig.SHUFFLE_CONNECT_TIMEOUT, USUAL_CONNECT_MILLIS);
    longestPenalty =
        Math.max(
            USUAL_REST_MILLIS,
            context
                .getJobConf()
                .getLong(
                    MRJobConfig.MAX_SHUFFLE_FETCH_RETRY_DELAY,
                    MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_RETRY_DELAY));
  }

  @Override
  public void addKnownMapOutput(String hostName, String hostUrl, TaskAttemptID output) {
    sources.finished(hostName, hostUrl, output);
  }

  @Override
  public MapHost getHost() throws InterruptedException {
    return sources.next();
  }

  @Override
  public List<TaskAttemptID> getMapsForHost(MapHost host) {
    return ((LaneHost) host).outputs(sources);
  }

  @Override
  public void putBackKnownMapOutput(MapHost host, TaskAttemptID output) {
    ((LaneHost) host).putBack(output);
  }

  @Override
  public void freeHost(MapHost host) {
    sources.free((LaneHost) host);
  }

  /** Fetchers tell of it before each failed copy, which is where it counts. */
  @Override
  public void hostFailed(String host) {}

  /** Several lanes may meet one failure of a host: it counts as for stock's one fetcher. */
  @Override
  public synchronized void copyFailed(
      TaskAttemptID output, MapHost host, boolean readError, boolean connectFailed) {
    LaneHost lane = (LaneHost) host;
    if (connectFailed && isRestarting(lane)) {
      sources.suspect(host.getHostName());
      if (!sources.isResting(host.getHostName())) {
        rest(host, USUAL_REST_MILLIS);
      }
      return;
    }
    Sources.Blame blame = sources.accuse(lane, output, readError);
    if (blame.first()) {
      super.hostFailed(host.getHostName());
    }
    for (TaskAttemptID counted : blame.outputs()) {
      super.copyFailed(counted, host, readError, connectFailed);
    }
  }

  /**
   * Whether a host that refuses connections is perhaps being restarted. Where a connection was
   * kept, or broke at once, Hadoop's fetcher is not patient; where it opens one it is.
   */
  private boolean isRestarting(LaneHost lane) {
    long now = clock.getAsLong();
    return lane.wantedFor(now) < connectMillis
        && now - refusing.computeIfAbsent(lane.getHostName(), host -> now) < connectMillis;
  }

  /** Leaves a host alone for a while, which is no failure. */
  public void rest(MapHost host, long millis) {
    penalize(host, millis);
  }

  @Override
  void penalize(MapHost host, long delay) {
    super.penalize(sources.penalise(host.getHostName()), Math.min(delay, longestPenalty));
  }

  @Override
  public synchronized void copySucceeded(
      TaskAttemptID output,
      MapHost host,
      long bytes,
      long startMillis,
      long endMillis,
      MapOutput<K, V> fetched)
      throws IOException {
    super.copySucceeded(output, host, bytes, startMillis, endMillis, fetched);
    refusing.remove(host.getHostName());
    sources.fetched(output);
  }

  @Override
  public void obsoleteMapOutput(TaskAttemptID output) {
    super.obsoleteMapOutput(output);
    sources.obsolete(output);
  }

  @Override
  public void tipFailed(TaskID map) {
    super.tipFailed(map);
    sources.failed(map);
  }
}
