package io.orchestra.hadoop.core.daemon;

import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A metrics source's place in the metrics system, until it is closed. Several daemons may share a
 * JVM in tests; the second one's source gets a number behind its name.
 */
public final class MetricsRegistration implements Closeable {
  private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

  private final String name;

  private MetricsRegistration(String name) {
    this.name = name;
  }

  public static MetricsRegistration register(
      String name, String description, MetricsSource source) {
    String free = name;
    for (int number = 2; !NAMES.add(free); number++) {
      free = name + number;
    }
    try {
      DefaultMetricsSystem.instance().register(free, description, source);
      return new MetricsRegistration(free);
    } catch (RuntimeException e) {
      NAMES.remove(free);
      throw e;
    }
  }

  @Override
  public void close() {
    DefaultMetricsSystem.instance().unregisterSource(name);
    NAMES.remove(name);
  }
}
