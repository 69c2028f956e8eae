package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.base.CaseFormat;
import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.Prefetching.Figures;
import java.io.Closeable;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The metrics source {@code OrchestraPrefetch} of a ResourceManager, in the context {@code yarn}.
 */
final class PrefetchingMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraPrefetch";

  private final Prefetching prefetching;
  private final Daemons daemons;
  private final MetricsRegistration registration;

  PrefetchingMetrics(Prefetching prefetching, Daemons daemons) {
    this.prefetching = prefetching;
    this.daemons = daemons;
    registration = MetricsRegistration.register(NAME, "Blocks prefetched for maps", this);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
    Figures figures = prefetching.figures();
    add(record, "", "Blocks of maps predicted to be non-local", figures.outcomes());
    add(
        record,
        "Confirmed",
        "Blocks of maps that already had their containers",
        figures.confirmed());
    Score score = figures.launches();
    record.addCounter(
        Interns.info("LaunchesLocal", "Maps with a replica on their host"), score.local());
    record.addCounter(
        Interns.info("LaunchesReady", "Maps whose input had been prefetched to their host"),
        score.ready());
    record.addCounter(
        Interns.info(
            "LaunchesPartly", "Maps of whose input a part had been prefetched to their host"),
        score.partly());
    record.addCounter(Interns.info("LaunchesAway", "Maps without their input"), score.away());
    record.addCounter(
        Interns.info("LaunchesConfirmedReady", "Maps whose input came while they started"),
        score.confirmedReady());
    record.addCounter(
        Interns.info(
            "LaunchesConfirmedPartly", "Maps of whose input a part came while they started"),
        score.confirmedPartly());
    record.addGauge(Interns.info("Flows", "Blocks on their way"), figures.flows());
    record.addGauge(
        Interns.info(
            "Waiting", "Blocks that wait for their turn, for a steadier prediction, or for room"),
        figures.waiting());
    record.addGauge(
        Interns.info("DoubtfulUsers", "Users whose launches were mostly predicted wrongly of late"),
        figures.doubtful());
    record.addGauge(Interns.info("Daemons", "Hosts whose daemons poll"), daemons.all().size());
  }

  private static void add(
      MetricsRecordBuilder record, String prefix, String description, Map<Outcome, Long> outcomes) {
    for (Outcome outcome : Outcome.values()) {
      String name = CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, outcome.name());
      record.addCounter(
          Interns.info(prefix + name, description), outcomes.getOrDefault(outcome, 0L));
    }
  }

  @Override
  public void close() {
    registration.close();
  }
}
