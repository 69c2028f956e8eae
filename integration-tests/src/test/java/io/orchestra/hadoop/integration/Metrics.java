package io.orchestra.hadoop.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Metrics of all daemons in this JVM. */
public final class Metrics {
  private static final int MOST_DAEMONS = 50;

  private Metrics() {}

  /** Of all sources called so, with a number behind it or without. */
  public static long sum(String source, String metric) {
    return beginningWith(source, metric).getOrDefault(metric, 0L);
  }

  /** The same where zero is to be a count: fails if no such source has the metric. */
  public static long required(String source, String metric) {
    Map<String, Long> sums = beginningWith(source, metric);
    assertThat(sums).as(source).containsKey(metric);
    return sums.get(metric);
  }

  /** The sums of all metrics whose names begin so. */
  public static Map<String, Long> beginningWith(String source, String name) {
    Map<String, Long> sums = new TreeMap<>();
    for (AbstractMetric metric : all(source)) {
      if (metric.name().startsWith(name)) {
        sums.merge(metric.name(), metric.value().longValue(), Long::sum);
      }
    }
    return sums;
  }

  public static boolean exists(String source) {
    return DefaultMetricsSystem.instance().getSource(source) != null;
  }

  private static List<AbstractMetric> all(String source) {
    List<AbstractMetric> all = new ArrayList<>();
    for (int number = 1; number < MOST_DAEMONS; number++) {
      MetricsSource found =
          DefaultMetricsSystem.instance().getSource(number == 1 ? source : source + number);
      if (found != null) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        found.getMetrics(collector, true);
        for (MetricsRecord record : collector.getRecords()) {
          record.metrics().forEach(all::add);
        }
      }
    }
    return all;
  }
}
