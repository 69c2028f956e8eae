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
    registration = MetricsRegistration.register(NAME, "Launches that are predicted", this);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Foresight foresight = speculation.foresight();
    Score score = speculation.score();
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
    record.addCounter(Interns.info("Runs", "Predictions made"), speculation.runs());
    record.addCounter(
        Interns.info("Failures", "Failures of the shadow, of what follows from it, and of hooks"),
        speculation.failures());
    record.addCounter(
        Interns.info(
            "CopiesGivenUp",
            "Copies of the scheduler that took more than half a second and were useless"),
        speculation.copiesGivenUp());
    record.addCounter(
        Interns.info("RunsGivenUp", "Predictions that took too much processor time and ended so"),
        speculation.runsGivenUp());
    record.addCounter(
        Interns.info("JobsHeard", "Application masters that have reported their jobs"),
        speculation.jobs().heard());
    record.addCounter(
        Interns.info("Right", "Non-local launches predicted on their node two seconds before"),
        score.right());
    record.addCounter(
        Interns.info(
            "Late", "Non-local launches predicted on their node less than two seconds before"),
        score.late());
    record.addCounter(
        Interns.info(
            "Missed",
            "Non-local launches that the last prediction had elsewhere, as local, or not at all"),
        score.missed());
    record.addCounter(
        Interns.info(
            "Wrong", "Launches predicted as non-local two seconds before, then launched otherwise"),
        score.wrong());
    record.addCounter(
        Interns.info(
            "Moved",
            "Launches predicted as non-local on a node for a second or more, then no longer"),
        score.moved());
    record.addCounter(
        Interns.info(
            "Sudden", "Late or missed tasks that no prediction two seconds before could know of"),
        score.sudden());
    record.addGauge(
        Interns.info("Recall", "Right as a fraction of Right, Late and Missed"), score.recall());
    record.addGauge(
        Interns.info("SaturatedRecall", "Recall without the launches that were sudden"),
        score.saturatedRecall());
    record.addGauge(
        Interns.info("Precision", "Right as a fraction of Right and Wrong"), score.precision());
    record.addGauge(
        Interns.info(
            "TimeErrorMillis", "Mean time by which launches came before their predicted time"),
        speculation.meanTimeError() / MILLI);
    record.addGauge(
        Interns.info(
            "AbsoluteTimeErrorMillis", "Mean time between launches and their predicted time"),
        speculation.meanAbsoluteTimeError() / MILLI);
    record.addGauge(
        Interns.info("Foretold", "Launches in the last prediction, including reduces"),
        foresight.predictions().size());
    record.addGauge(
        Interns.info(
            "CopyMillis", "Time for which the last prediction held the scheduler's read lock"),
        foresight.copyNanos() / MILLI);
    record.addGauge(
        Interns.info("RunMillis", "Time that the last prediction took besides"),
        foresight.runNanos() / MILLI);
  }

  @Override
  public void close() {
    registration.close();
  }
}
