package io.orchestra.hadoop.shuffle.reduce;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What our parts of all shuffle services in this process have counted. */
final class ServerMetrics {
  private static final int MOST_SERVICES = 20;

  private ServerMetrics() {}

  static long sum(String metric) {
    long sum = source("OrchestraShuffleServer", metric);
    for (int number = 2; number <= MOST_SERVICES; number++) {
      sum += source("OrchestraShuffleServer" + number, metric);
    }
    return sum;
  }

  private static long source(String name, String wanted) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    if (source == null) {
      return 0;
    }
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    long sum = 0;
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        sum += metric.name().equals(wanted) ? metric.value().longValue() : 0;
      }
    }
    return sum;
  }
}
