package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Draw;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that writes, measured under several policies, with or without background traffic. */
final class WriteExperiment {
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  private static final String BACKGROUND_SHARE = "background's part of the busy downlinks";
  private static final double LEAST_SHARE = 0.75;

  /** What writes. */
  @FunctionalInterface
  interface Work {
    /**
     * @param writers hosts drawn by the trial's seed
     * @param measurement gets the figures and checks
     */
    void run(List<String> writers, Measurement.Builder measurement) throws Exception;
  }

  private final PlacementTestbed testbed;
  private final Optional<Duration> period;
  private final Work work;
  private final DownlinkBytes downlinks;
  private Optional<BackgroundTraffic> traffic = Optional.empty();

  /** Hosts that take part in nothing. */
  private List<String> absent = List.of();

  /**
   * @param period after which other links are busy; empty for no background traffic
   */
  WriteExperiment(PlacementTestbed testbed, Optional<Duration> period, Work work) {
    this.testbed = testbed;
    this.period = period;
    this.work = work;
    downlinks =
        new DownlinkBytes(
            testbed.cluster().linkCounters()::read,
            testbed.workers(),
            () -> traffic.map(BackgroundTraffic::busy).orElse(absent));
  }

  Experiment of(String name, String description, List<Policy> policies) {
    List<Arm> arms = policies.stream().map(this::arm).toList();
    double capacity = Sizes.HOST_RATE.bytesPerSecond();
    Map<String, Double> capacities = new LinkedHashMap<>();
    testbed.workers().forEach(host -> capacities.put(DownlinkBytes.name(host), capacity));
    capacities.put(DownlinkBytes.OTHERS, capacity);
    if (period.isEmpty()) {
      return Experiment.withoutBusyLink(
          name,
          description,
          "no link is loaded on purpose",
          Optional.of(Links.of(downlinks, capacities).withDerived(DownlinkBytes.OTHERS)),
          arms);
    }
    capacities.put(DownlinkBytes.BUSY, capacity);
    return Experiment.of(
        name,
        description,
        Links.of(downlinks, capacities).withDerived(DownlinkBytes.BUSY, DownlinkBytes.OTHERS),
        arms);
  }

  private Arm arm(Policy policy) {
    Arm arm =
        Arm.of(policy.title(), trial -> measure(policy, trial))
            .preparedBy(trial -> prepare(policy, trial))
            .cleanedUpBy(trial -> cleanUp(policy));
    return policy == Policy.BUSY_ABSENT
        ? arm.withoutBusyLink("without background traffic, as a reference")
        : arm;
  }

  private BackgroundSchedule schedule(Trial trial) {
    return new BackgroundSchedule(
        trial.seed(),
        phase(trial),
        testbed.workers(),
        Sizes.BUSY_HOSTS,
        period.orElse(Duration.ofDays(1)));
  }

  /**
   * Blocks that are being written when links become busy take several times as long as others. So
   * when in a trial that happens is not left to chance: multiples of the golden ratio spread it
   * evenly over the repetitions.
   */
  private static double phase(Trial trial) {
    double multiple = trial.repetition() * GOLDEN_RATIO;
    return multiple - Math.floor(multiple);
  }

  private boolean isLoaded(Policy policy) {
    return period.isPresent() && policy != Policy.BUSY_ABSENT;
  }

  private void prepare(Policy policy, Trial trial) {
    testbed.place(policy);
    BackgroundSchedule schedule = schedule(trial);
    if (policy == Policy.BUSY_ABSENT) {
      absent = schedule.inPeriod(0);
      testbed.exclude(absent);
    }
    if (isLoaded(policy)) {
      traffic = Optional.of(testbed.load(schedule));
    }
    if (policy == Policy.ORACLE) {
      testbed.foretell(
          schedule,
          traffic.map(BackgroundTraffic::startMillis).orElseThrow(),
          Duration.ofMinutes(15));
    }
    testbed.settle();
  }

  private Measurement measure(Policy policy, Trial trial) throws Exception {
    Measurement.Builder measurement = Measurement.builder();
    List<String> writers = new Draw(trial.seed(), "writers").some(Sizes.WRITERS, testbed.workers());
    PluginCounters before = PluginCounters.of(testbed.report());
    Optional<OracleReports> told =
        policy == Policy.ORACLE ? Optional.of(testbed.oracleReports()) : Optional.empty();
    long background = testbed.backgroundBytes();
    long start = System.nanoTime();
    work.run(writers, measurement);
    double seconds = (System.nanoTime() - start) / 1e9;
    told.ifPresent(earlier -> testbed.oracleReports().since(earlier).addTo(measurement, seconds));
    PluginCounters.of(testbed.report()).since(before).addTo(measurement, policy.isOurs());
    if (isLoaded(policy)) {
      double share =
          (testbed.backgroundBytes() - background)
              / (seconds * Sizes.BUSY_HOSTS * Sizes.HOST_BYTES_PER_SECOND);
      measurement.figure(BACKGROUND_SHARE, share);
      measurement.check(
          "background traffic held its links",
          share >= LEAST_SHARE,
          "%.0f %% of the busy downlinks".formatted(100 * share));
    }
    return measurement.build();
  }

  private void cleanUp(Policy policy) {
    traffic.ifPresent(BackgroundTraffic::close);
    traffic = Optional.empty();
    if (policy == Policy.ORACLE) {
      testbed.endForetelling();
    }
    if (policy == Policy.BUSY_ABSENT) {
      absent = List.of();
      testbed.exclude(absent);
    }
  }
}
