package io.orchestra.hadoop.shuffle.reduce;

import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import io.orchestra.hadoop.shuffle.rpc.ProtocolHeaders;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks hosts for the sizes of map outputs before they are fetched: small requests for each host and
 * batch of finished maps. A host that does not answer is asked again, while its outputs are fetched
 * as stock does; one that cannot tell is left alone for a while. Safe for concurrent use.
 */
final class SizeAsker implements Sources.Newcomers, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SizeAsker.class);
  private static final int THREADS = 8;

  /** How long newcomers are collected: events come in batches. */
  private static final long COLLECT_MILLIS = 10;

  private static final int TIMEOUT_MILLIS = (int) ShuffleConfig.LONGEST_SIZE_WAIT.toMillis();

  /** How often the same is asked again. */
  private static final int MOST_RETRIES = 3;

  /** Until it is asked again, unless the host says when; each time twice as long. */
  static final long RETRY_MILLIS = 1000;

  /** However long a busy host wants to be left alone. */
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private static final long NEVER = -1;

  /** A host that has not answered so many newcomers in succession is left alone. */
  private static final int MOST_FAILURES = 3;

  /** For how long. It may get our service, or its health, in the middle of a job. */
  static final long SILENCE_MILLIS = 60_000;

  /** Opens connections, encrypted or not. */
  @FunctionalInterface
  interface Opener {
    HttpURLConnection open(URL url) throws IOException;
  }

  /** Takes what was learned. */
  @FunctionalInterface
  interface Listener {
    void ready(String host, Map<TaskAttemptID, Optional<Sources.Size>> sizes);
  }

  private final String job;
  private final int reduce;
  private final Opener connections;
  private final SecretKey secret;
  private final Listener listener;
  private final Deadlines deadlines;
  private final LongSupplier clock;
  private final long retryMillis;

  /** Hosts that are left alone, and until when. */
  private final Map<String, Long> silent = new ConcurrentHashMap<>();

  private final AtomicLongMap<String> failures = AtomicLongMap.create();
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          THREADS,
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-shuffle-sizes-%d")
              .setDaemon(true)
              .build());

  // Guarded by this.
  private final Map<String, Batch> batches = new LinkedHashMap<>();

  private static final class Batch {
    final String baseUrl;
    final List<TaskAttemptID> outputs = new ArrayList<>();

    Batch(String baseUrl) {
      this.baseUrl = baseUrl;
    }
  }

  SizeAsker(
      TaskID reducer,
      Opener connections,
      SecretKey secret,
      Listener listener,
      Deadlines deadlines) {
    this(reducer, connections, secret, listener, deadlines, Time::monotonicNow, RETRY_MILLIS);
  }

  /**
   * @param clock milliseconds
   * @param retryMillis until a host is asked again that has not answered
   */
  SizeAsker(
      TaskID reducer,
      Opener connections,
      SecretKey secret,
      Listener listener,
      Deadlines deadlines,
      LongSupplier clock,
      long retryMillis) {
    job = reducer.getJobID().toString();
    reduce = reducer.getId();
    this.connections = connections;
    this.secret = secret;
    this.listener = listener;
    this.deadlines = deadlines;
    this.clock = clock;
    this.retryMillis = retryMillis;
  }

  /** Begins what the first question would wait for: a new process has signed and read nothing. */
  void prepare() {
    threads.execute(
        () -> {
          try {
            String output =
                new TaskAttemptID(new TaskID(JobID.forName(job), TaskType.MAP, 0), 0).toString();
            SizesRequest request = new SizesRequest(job, reduce, List.of(output));
            SecureShuffleUtils.hashFromString(request.pathAndQuery(), secret);
            boolean unusedAnswer = ProtocolHeaders.areIn(name -> null);
            byte[] answer = OutputSizes.write(List.of(new OutputSize(output, 0, 0, 0)));
            OutputSizes.read(new ByteArrayInputStream(answer), request);
          } catch (IOException | RuntimeException | LinkageError e) {
            LOG.debug("Questions will meet this, too", e);
          }
        });
  }

  @Override
  public synchronized void found(String host, String baseUrl, TaskAttemptID output) {
    if (threads.isShutdown()) {
      return;
    }
    Batch batch = batches.get(host);
    if (batch == null) {
      batch = new Batch(baseUrl);
      batches.put(host, batch);
      ScheduledFuture<?> unused =
          threads.schedule(() -> ask(host), COLLECT_MILLIS, TimeUnit.MILLISECONDS);
    }
    batch.outputs.add(output);
  }

  private synchronized Batch take(String host) {
    return batches.remove(host);
  }

  private void ask(String host) {
    Batch batch = take(host);
    ask(host, batch.baseUrl, batch.outputs, 0);
  }

  /**
   * The first request that fails is the last one.
   *
   * @param retry how often they have been asked for already; what is asked for again is so whatever
   *     has become known of the host
   */
  private void ask(String host, String baseUrl, List<TaskAttemptID> outputs, int retry) {
    Set<TaskAttemptID> untold = new LinkedHashSet<>(outputs);
    long pause = NEVER;
    try {
      if (retry > 0 || !isSilent(host)) {
        Iterator<List<TaskAttemptID>> requests =
            Lists.partition(outputs, SizesRequest.MOST_OUTPUTS).iterator();
        while (requests.hasNext()) {
          Map<TaskAttemptID, Optional<Sources.Size>> answer = new LinkedHashMap<>();
          for (OutputSize told : sizes(baseUrl, requests.next())) {
            TaskAttemptID output = TaskAttemptID.forName(told.attempt());
            if (untold.remove(output)) {
              answer.put(output, Optional.of(Sources.Size.of(told)));
            }
          }
          if (!requests.hasNext()) {
            // Before anybody hears of the answer, and finds more outputs of a host that answers.
            silent.remove(host);
            failures.remove(host);
          }
          listener.ready(host, answer);
        }
      }
    } catch (FileNotFoundException e) {
      if (silence(host)) {
        LOG.info("{} tells no sizes; its map outputs are fetched as stock does", host);
      }
    } catch (BusyHostException e) {
      LOG.info("{} is busy and has not told sizes", host);
      pause = Math.min(LONGEST_PAUSE_MILLIS, Math.max(retryMillis << retry, e.retryMillis()));
    } catch (ConnectException e) {
      LOG.info("{} has not told sizes: {}", host, e.toString());
      pause = retryMillis << retry;
    } catch (IOException e) {
      failed(host, retry, e);
      pause = retryMillis << retry;
    } catch (RuntimeException | LinkageError e) {
      failed(host, retry, e);
    } finally {
      if (retry == 0) {
        listener.ready(host, Maps.asMap(untold, output -> Optional.empty()));
      }
    }
    if (pause != NEVER && retry < MOST_RETRIES) {
      askAgain(host, baseUrl, List.copyOf(untold), retry + 1, pause);
    }
  }

  private synchronized void askAgain(
      String host, String baseUrl, List<TaskAttemptID> outputs, int retry, long pause) {
    if (!threads.isShutdown()) {
      ScheduledFuture<?> unused =
          threads.schedule(() -> ask(host, baseUrl, outputs, retry), pause, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isSilent(String host) {
    Long until = silent.get(host);
    return until != null && until > clock.getAsLong();
  }

  /** However often the same is asked for, it counts once. */
  private void failed(String host, int retry, Throwable cause) {
    if (retry == 0 && failures.incrementAndGet(host) >= MOST_FAILURES) {
      silence(host);
    }
    LOG.warn("{} has not told sizes; these map outputs are fetched as stock does", host, cause);
  }

  /** Returns whether that is new. */
  private boolean silence(String host) {
    return silent.put(host, clock.getAsLong() + SILENCE_MILLIS) == null;
  }

  private List<OutputSize> sizes(String baseUrl, List<TaskAttemptID> outputs) throws IOException {
    SizesRequest request =
        new SizesRequest(job, reduce, outputs.stream().map(TaskAttemptID::toString).toList());
    HttpURLConnection connection =
        connections.open(new URL(new URL(baseUrl), request.pathAndQuery()));
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    return deadlines.within(
        TIMEOUT_MILLIS,
        connection,
        () -> {
          try (InputStream in = SignedRequest.send(connection, secret)) {
            return OutputSizes.read(in, request);
          } finally {
            connection.disconnect();
          }
        });
  }

  /** How many hosts told nothing when they were asked last. */
  int silentHosts() {
    return silent.size();
  }

  @Override
  public synchronized void close() {
    threads.shutdownNow();
  }
}
