package io.orchestra.hadoop.shuffle.reduce;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * What the fetchers of all reducers in this process have counted for Hadoop's metrics: sources of
 * random names, which a sink sees.
 */
final class ClientMetrics implements MetricsSink {
  private static final ClientMetrics SINK =
      DefaultMetricsSystem.initialize("test").register("client", "", new ClientMetrics());

  private final List<MetricsRecord> coming = new ArrayList<>();
  private volatile List<MetricsRecord> latest = List.of();

  private ClientMetrics() {}

  static long sum(String metric) {
    DefaultMetricsSystem.instance().publishMetricsNow();
    return SINK.latest.stream().mapToLong(record -> value(record, metric)).sum();
  }

  private static long value(MetricsRecord record, String wanted) {
    long sum = 0;
    for (AbstractMetric metric : record.metrics()) {
      sum += metric.name().equals(wanted) ? metric.value().longValue() : 0;
    }
    return sum;
  }

  @Override
  public void init(SubsetConfiguration conf) {}

  @Override
  public void putMetrics(MetricsRecord record) {
    if (record.name().equals("ShuffleClientMetrics")) {
      coming.add(record);
    }
  }

  /** All sources have been seen. */
  @Override
  public void flush() {
    latest = List.copyOf(coming);
    coming.clear();
  }
}
