package io.orchestra.hadoop.prefetch;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;

/** What a source of metrics tells. */
public final class SourceMetrics {
  private SourceMetrics() {}

  public static long value(MetricsSource source, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value().longValue();
      }
    }
    throw new AssertionError("no metric " + name);
  }
}
