package io.orchestra.hadoop.placement.namenode;

import com.google.common.base.CaseFormat;
import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import java.io.Closeable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraPlacement} of a NameNode, in the context {@code dfs}. */
final class PlacementMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraPlacement";

  private final PlacementState state;
  private final ReportIntake intake;
  private final MetricsRegistration registration;

  PlacementMetrics(PlacementState state, ReportIntake intake) {
    this.state = state;
    this.intake = intake;
    registration = MetricsRegistration.register(NAME, "Network-aware replica placement", this);
  }

  @Override
  public void close() {
    registration.close();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    for (Outcome outcome : Outcome.values()) {
      String name = CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, outcome.name());
      record.addCounter(
          Interns.info("Replicas" + name, "Replicas " + outcome.description()),
          state.total(outcome));
    }
    record.addCounter(Interns.info("ReportsAccepted", "Link reports accepted"), intake.accepted());
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
                  Interns.info(
                      "SnapshotAgeMillis", "Age of the snapshot of the links, in milliseconds"),
                  TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - snapshot.published()));
            });
  }
}
