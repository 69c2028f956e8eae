package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;

/** Specs of one rack with two workers. */
final class Specs {
  private Specs() {}

  static ClusterSpec of(boolean highlyAvailable, List<Plugin> plugins, Setting... settings) {
    return ClusterSpec.of("test", 1, 2, Rate.parse("100mbit"), Rate.parse("400mbit"))
        .withHadoop("3.5.0")
        .withHighAvailability(highlyAvailable)
        .with(plugins, List.of(settings));
  }
}
