package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Curve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What comes down to one worker in each second: each prefetch by itself, and all the rest
 * (FlexFetch, figure 10). Watches from its construction until it is closed.
 */
final class RateWatch implements AutoCloseable {
  private static final int MOST_FLOWS = 10;
  private static final double BITS = 8e-6;

  /** Bytes by the ids of flows, and those of the link. */
  private record Moment(double seconds, long link, Map<Long, Long> flows) {}

  private final PrefetchTestbed testbed;
  private final String host;
  private final long start = System.nanoTime();
  private final List<Moment> moments = new ArrayList<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  RateWatch(PrefetchTestbed testbed, String host) {
    this.testbed = testbed;
    this.host = host;
    ScheduledFuture<?> unused = thread.scheduleAtFixedRate(this::look, 0, 1, TimeUnit.SECONDS);
  }

  private synchronized void look() {
    Map<Long, Long> flows = new LinkedHashMap<>();
    testbed.report().ifPresent(report -> report.path("flows").forEach(flow -> add(flow, flows)));
    double seconds = (System.nanoTime() - start) / 1e9;
    moments.add(new Moment(seconds, testbed.received(host), flows));
  }

  private void add(JsonNode flow, Map<Long, Long> flows) {
    if (flow.path("to").asText().equals(host)) {
      flows.put(flow.path("id").asLong(), flow.path("bytes").asLong());
    }
  }

  /** Megabits per second: the largest flows, all others of their kind, and what else comes. */
  synchronized List<Curve> curves() {
    Map<Long, double[]> flows = new LinkedHashMap<>();
    double[] rest = new double[moments.size()];
    for (int index = 1; index < moments.size(); index++) {
      Moment before = moments.get(index - 1);
      Moment now = moments.get(index);
      double factor = BITS / (now.seconds() - before.seconds());
      double all = (now.link() - before.link()) * factor;
      for (Map.Entry<Long, Long> flow : now.flows().entrySet()) {
        long bytes = flow.getValue() - before.flows().getOrDefault(flow.getKey(), 0L);
        double[] rates = flows.computeIfAbsent(flow.getKey(), id -> new double[rest.length]);
        rates[index] = bytes * factor;
        all -= rates[index];
      }
      rest[index] = Math.max(0, all);
    }
    List<double[]> largestFirst =
        flows.values().stream()
            .sorted(Comparator.comparingDouble(RateWatch::sum).reversed())
            .toList();
    List<Curve> curves = new ArrayList<>();
    double[] others = new double[rest.length];
    for (double[] rates : largestFirst) {
      if (curves.size() < MOST_FLOWS) {
        curves.add(curve("prefetch " + (curves.size() + 1), rates));
      } else {
        Arrays.setAll(others, index -> others[index] + rates[index]);
      }
    }
    if (largestFirst.size() > MOST_FLOWS) {
      curves.add(curve("other prefetches", others));
    }
    curves.add(curve("all else", rest));
    return curves;
  }

  private static double sum(double[] rates) {
    double sum = 0;
    for (double rate : rates) {
      sum += rate;
    }
    return sum;
  }

  private Curve curve(String name, double[] rates) {
    List<Double> values = new ArrayList<>();
    for (double rate : rates) {
      values.add(rate);
    }
    return new Curve(name, moments.stream().map(Moment::seconds).toList(), values);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
