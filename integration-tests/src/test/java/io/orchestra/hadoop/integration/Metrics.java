package io.orchestra.hadoop.integration;

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
    long sum = value(source, metric);
    for (int number = 2; number < MOST_DAEMONS; number++) {
      sum += value(source + number, metric);
    }
    return sum;
  }

  public static boolean exists(String source) {
    return DefaultMetricsSystem.instance().getSource(source) != null;
  }

  private static long value(String source, String metric) {
    MetricsSource found = DefaultMetricsSystem.instance().getSource(source);
    if (found == null) {
      return 0;
    }
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    found.getMetrics(collector, true);
    long sum = 0;
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric value : record.metrics()) {
        sum += value.name().equals(metric) ? value.value().longValue() : 0;
      }
    }
    return sum;
  }
}
