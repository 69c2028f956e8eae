package io.orchestra.hadoop.placement.namenode;

import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraPlacement} of a NameNode, in the context {@code dfs}. */
final class PlacementMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraPlacement";

  /** Several NameNodes may share a JVM in tests; each has a name of its own. */
  private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

  private final String name;
  private final PlacementState state;
  private final ReportIntake intake;

  private PlacementMetrics(String name, PlacementState state, ReportIntake intake) {
    this.name = name;
    this.state = state;
    this.intake = intake;
  }

  static PlacementMetrics register(PlacementState state, ReportIntake intake) {
    String free = NAME;
    for (int number = 2; !NAMES.add(free); number++) {
      free = NAME + number;
    }
    PlacementMetrics metrics = new PlacementMetrics(free, state, intake);
    try {
      return DefaultMetricsSystem.instance()
          .register(free, "Network-aware replica placement", metrics);
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

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    for (Outcome outcome : Outcome.values()) {
      record.addCounter(
          Interns.info("Replicas" + camelCase(outcome), "Replicas " + outcome.description()),
          state.total(outcome));
    }
    record.addCounter(Interns.info("ReportsAccepted", "Link reports taken in"), intake.accepted());
    record.addCounter(
        Interns.info("ReportsRejected", "Link reports dropped: unknown sender, late, or senseless"),
        intake.rejected());
    state
        .snapshot()
        .ifPresent(
            snapshot -> {
              record.addGauge(
                  Interns.info("Coverage", "Fraction of live DataNodes that report"),
                  snapshot.coverage());
              record.addGauge(
                  Interns.info("SnapshotAgeMillis", "Age of the snapshot of the links"),
                  TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - snapshot.published()));
            });
  }

  private static String camelCase(Outcome outcome) {
    StringBuilder name = new StringBuilder();
    for (String word : outcome.label().split("-")) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return name.toString();
  }
}
