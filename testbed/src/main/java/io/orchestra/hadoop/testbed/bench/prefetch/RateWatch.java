package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.bench.Curve;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * What comes down to one worker: all prefetches together, and all the rest (FlexFetch, figure 10).
 * Watches from its construction until it is closed.
 */
final class RateWatch implements AutoCloseable {
  /**
   * Each rate is the mean over so many seconds: bytes are told every half second and asked for
   * every second, so that one second seems to have as many as two, and the next none.
   */
  private static final int SECONDS = 5;

  private static final double BITS = 8e-6;
  private static final double MOST = 0.8;

  /**
   * @param link bytes that have come down so far
   * @param prefetched those of them that are of prefetches
   */
  record Moment(double seconds, long link, long prefetched) {}

  private final PrefetchTestbed testbed;
  private final String host;
  private final long start = System.nanoTime();
  private final List<Moment> moments = new ArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> DaemonThread.of("orchestra-rate-watch", work));

  /** Bytes by the ids of flows that have not ended. */
  private Map<Long, Long> flows = Map.of();

  private long prefetched;
  private volatile Optional<RuntimeException> lastFailure = Optional.empty();

  RateWatch(PrefetchTestbed testbed, String host) {
    this.testbed = testbed;
    this.host = host;
    ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(this::look, 0, 1, TimeUnit.SECONDS);
  }

  /** Who does not answer is asked again a second later: {@link #isWhole} tells of it. */
  private void look() {
    try {
      testbed.report().ifPresent(report -> add(report, testbed.received(host)));
    } catch (RuntimeException e) {
      lastFailure = Optional.of(e);
    }
  }

  private synchronized void add(JsonNode report, long received) {
    Map<Long, Long> now = new HashMap<>();
    for (JsonNode flow : report.path("flows")) {
      if (flow.path("to").asText().equals(host)) {
        now.put(flow.path("id").asLong(), flow.path("bytes").asLong());
      }
    }
    now.forEach((flow, bytes) -> prefetched += bytes - flows.getOrDefault(flow, 0L));
    flows = now;
    moments.add(new Moment((System.nanoTime() - start) / 1e9, received, prefetched));
  }

  /** Whether there was an answer in most seconds until now. */
  synchronized boolean isWhole() {
    return moments.size() >= (System.nanoTime() - start) / 1e9 * MOST;
  }

  synchronized String description() {
    return "%d moments%s"
        .formatted(
            moments.size(), lastFailure.map(failure -> ", " + failure.getMessage()).orElse(""));
  }

  /** Megabits per second. What comes in a prefetch's last second may count as all else. */
  synchronized List<Curve> curves() {
    return curves(moments);
  }

  /**
   * @param moments about a second apart, or more where there was no answer
   */
  static List<Curve> curves(List<Moment> moments) {
    return List.of(
        curve("prefetches", moments, Moment::prefetched),
        curve("all else", moments, moment -> moment.link() - moment.prefetched()));
  }

  private static Curve curve(String name, List<Moment> moments, ToLongFunction<Moment> bytes) {
    List<Double> times = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    int first = 0;
    for (Moment now : moments) {
      // The last one that is long enough ago.
      while (first + 1 < moments.size()
          && moments.get(first + 1).seconds() <= now.seconds() - SECONDS) {
        first++;
      }
      Moment before = moments.get(first);
      if (now.seconds() - before.seconds() < SECONDS) {
        continue;
      }
      double rate =
          (bytes.applyAsLong(now) - bytes.applyAsLong(before))
              * BITS
              / (now.seconds() - before.seconds());
      times.add((before.seconds() + now.seconds()) / 2);
      rates.add(Math.max(0, rate));
    }
    return new Curve(name, times, rates);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
