package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import java.io.Closeable;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The metrics source {@code OrchestraPrediction} of a ResourceManager, in the context {@code yarn}.
 */
final class PredictionMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraPrediction";
  private static final double MILLI = 1e6;

  private final Speculation speculation;
  private final MetricsRegistration registration;

  PredictionMetrics(Speculation speculation) {
    this.speculation = speculation;
    registration = MetricsRegistration.register(NAME, "Launches that are foretold", this);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Foresight foresight = speculation.foresight();
    Score score = speculation.score();
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
    record.addCounter(Interns.info("Runs", "Predictions made"), speculation.runs());
    record.addCounter(
        Interns.info("Failures", "Of the shadow and its hooks"), speculation.failures());
    record.addCounter(
        Interns.info("CopiesGivenUp", "Copies of the scheduler that took too long"),
        speculation.copiesGivenUp());
    record.addCounter(
        Interns.info("JobsHeard", "Application masters that have told of their jobs"),
        speculation.jobs().heard());
    record.addCounter(
        Interns.info("Right", "Launches away from their input that were foretold in time"),
        score.right());
    record.addCounter(
        Interns.info("Late", "Those that were foretold only when it was too late"), score.late());
    record.addCounter(
        Interns.info("Missed", "Launches away from their input that were not foretold there"),
        score.missed());
    record.addCounter(
        Interns.info("Wrong", "Foretold away from their input, and launched otherwise"),
        score.wrong());
    record.addCounter(
        Interns.info("Moved", "Foretold away from their input for long, and then no more there"),
        score.moved());
    record.addCounter(
        Interns.info("Sudden", "Late or missed, of tasks that nobody could know of in time"),
        score.sudden());
    record.addGauge(
        Interns.info("Recall", "Right of all launches away from their input"), score.recall());
    record.addGauge(
        Interns.info("SaturatedRecall", "Right of all those that were not sudden"),
        score.saturatedRecall());
    record.addGauge(
        Interns.info("Precision", "Right of what was right or wrong"), score.precision());
    record.addGauge(
        Interns.info(
            "TimeErrorMillis", "Mean time by which launches came before they were foretold"),
        speculation.meanTimeError() / MILLI);
    record.addGauge(
        Interns.info(
            "AbsoluteTimeErrorMillis", "Mean time between launches and when they were foretold"),
        speculation.meanAbsoluteTimeError() / MILLI);
    record.addGauge(
        Interns.info("Foretold", "Launches in the last prediction"),
        foresight.predictions().size());
    record.addGauge(
        Interns.info("CopyMillis", "For which the last one held the scheduler's read lock"),
        foresight.copyNanos() / MILLI);
    record.addGauge(
        Interns.info("RunMillis", "Which the shadow took besides"), foresight.runNanos() / MILLI);
  }

  @Override
  public void close() {
    registration.close();
  }
}
