package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.algorithm.Part;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;
import org.apache.hadoop.mapreduce.task.reduce.LaneScheduler;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane. Whole outputs are fetched by Hadoop's own fetcher. Ranges are fetched here, and left to
 * Hadoop's as whole outputs at the first trouble: so failures are met, repeated and reported as
 * stock does.
 */
final class LaneFetcher<K, V> extends Fetcher<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(LaneFetcher.class);
  private static final int BUFFER = 256 << 10;

  private final JobConf conf;
  private final LaneScheduler<K, V> lanes;
  private final Sources sources;
  private final RangedOutputs<K, V> ranged;
  private final Deadlines deadlines;
  private final SecretKey secret;

  /** What this thread fetches. */
  private LaneHost fetching;

  LaneFetcher(
      ShuffleConsumerPlugin.Context<K, V> context,
      LaneScheduler<K, V> scheduler,
      MergeManagerImpl<K, V> merger,
      Sources sources,
      RangedOutputs<K, V> ranged,
      Deadlines deadlines,
      ShuffleClientMetrics metrics,
      ExceptionReporter reporter) {
    super(
        context.getJobConf(),
        context.getReduceId(),
        scheduler,
        merger,
        context.getReporter(),
        metrics,
        reporter,
        context.getReduceTask().getShuffleSecret());
    conf = context.getJobConf();
    lanes = scheduler;
    this.sources = sources;
    this.ranged = ranged;
    this.deadlines = deadlines;
    secret = context.getReduceTask().getShuffleSecret();
  }

  @Override
  protected void copyFromHost(MapHost host) throws IOException {
    LaneHost lane = (LaneHost) host;
    fetching = lane;
    if (lane.range().isEmpty()) {
      super.copyFromHost(host);
    } else {
      fetch(lane, lane.range().get());
    }
  }

  @Override
  protected synchronized void openConnection(URL url) throws IOException {
    super.openConnection(url);
    if (!fetching.connecting(Time.monotonicNow())) {
      // Hadoop's fetcher may try for minutes before it says so.
      sources.brokeOff(fetching.getHostName());
    }
  }

  private void fetch(LaneHost host, Part<TaskAttemptID> range) throws IOException {
    TaskAttemptID id = range.output();
    if (!sources.isNeeded(id)) {
      return;
    }
    Optional<RangedOutput<K, V>> output;
    try {
      output = ranged.get(id, sources.size(id));
    } catch (RangedOutputs.NoMemoryException e) {
      host.putBack(id);
      return;
    } catch (IOException e) {
      // Perhaps for want of room, though its host may have told a length that is not true.
      fetchWhole(host, id, e);
      return;
    }
    if (output.isPresent()) {
      sources.housed(id);
      fetch(host, range, output.get());
    }
  }

  private void fetch(LaneHost host, Part<TaskAttemptID> range, RangedOutput<K, V> output) {
    try {
      if (sources.isUndivided(host.getHostName())) {
        throw new IOException(host + " has brought no range of another output");
      }
      receive(host, range, output);
    } catch (BusyHostException e) {
      lanes.rest(host, e.retryMillis());
      if (output.holdsMemory() && sources.isShortOfMemory()) {
        // It may be busy for long, while others need what this output holds.
        abandon(host, output, e);
      } else {
        host.putBack(range.output());
      }
      return;
    } catch (ConnectException e) {
      // It may be restarting: one lane waits for it, and ranges are given up only of what is begun.
      sources.suspect(host.getHostName());
      abandon(host, output, e);
    } catch (SocketTimeoutException e) {
      sources.standsStill(host.getHostName());
      abandon(host, output, e);
    } catch (IOException | RuntimeException | LinkageError e) {
      abandon(host, output, e);
    }
    if (output.finish()) {
      conclude(host, output);
    }
  }

  /** All ranges are there, and no other lane ends this output. */
  private void conclude(LaneHost host, RangedOutput<K, V> output) {
    ranged.end(output.getMapId());
    try {
      output.verify(conf, reporter);
      succeed(host, output);
    } catch (IOException | RuntimeException | LinkageError e) {
      drop(host, output, e);
    }
  }

  private void receive(LaneHost host, Part<TaskAttemptID> range, RangedOutput<K, V> output)
      throws IOException {
    RangeRequest request =
        new RangeRequest(
            range.output().getJobID().toString(),
            reduce,
            range.output().toString(),
            range.offset(),
            range.length(),
            output.length());
    URL url = new URL(new URL(host.getBaseUrl()), request.pathAndQuery());
    openConnection(url);
    if (connection instanceof HttpsURLConnection) {
      // Hadoop gives each a factory of its own, and with another one it is not used again.
      connection.setRequestProperty("Connection", "close");
    }
    int connecting = timeout(MRJobConfig.SHUFFLE_CONNECT_TIMEOUT);
    int reading = timeout(MRJobConfig.SHUFFLE_READ_TIMEOUT);
    connection.setConnectTimeout(connecting);
    connection.setReadTimeout(reading);
    try {
      InputStream in =
          deadlines.within(
              connecting + reading, connection, () -> SignedRequest.send(connection, secret));
      if (copy(in, range, output, new Patience(reading))) {
        in.close();
        keepConnection();
      }
    } finally {
      closeConnection();
    }
  }

  /**
   * The next range may come on it: a new one would begin slowly. Others may close connections: see
   * {@code Fetcher.closeConnection}.
   */
  private synchronized void keepConnection() {
    connection = null;
  }

  /**
   * @return whether all of it has come; otherwise it is not needed any more
   */
  private boolean copy(
      InputStream in, Part<TaskAttemptID> range, RangedOutput<K, V> output, Patience patience)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    long end = range.offset() + range.length();
    long at = range.offset();
    while (at < end && !output.isAbandoned()) {
      int wanted = (int) Math.min(BUFFER, end - at);
      long before = Time.monotonicNow();
      int read = in.read(buffer.array(), 0, wanted);
      if (read < 0) {
        throw new EOFException("%s: ends at %d of %d".formatted(range.output(), at, end));
      }
      patience.waited(Time.monotonicNow() - before, read);
      output.write(at, buffer.clear().limit(read));
      at += read;
      metrics.inputBytes(read);
      reporter.progress();
    }
    return at == end;
  }

  /** The job's own, where that is shorter; 0 stands for none at all. */
  private int timeout(String key) {
    int limit = conf.getInt(key, Patience.LONGEST_MILLIS);
    return limit > 0 ? Math.min(limit, Patience.LONGEST_MILLIS) : Patience.LONGEST_MILLIS;
  }

  private void succeed(LaneHost host, RangedOutput<K, V> output) throws IOException {
    lanes.copySucceeded(
        output.getMapId(),
        host,
        output.length(),
        output.startMillis(),
        Time.monotonicNow(),
        output);
    metrics.successFetch();
  }

  private void abandon(LaneHost host, RangedOutput<K, V> output, Throwable cause) {
    if (output.abandon()) {
      ranged.end(output.getMapId());
      drop(host, output, cause);
    }
  }

  private void drop(LaneHost host, RangedOutput<K, V> output, Throwable cause) {
    metrics.failedFetch();
    output.abort();
    fetchWhole(host, output.getMapId(), cause);
  }

  private void fetchWhole(LaneHost host, TaskAttemptID output, Throwable cause) {
    LOG.warn("{} is fetched whole, since a range failed", output, cause);
    sources.undivide(host.getHostName(), output);
  }
}
