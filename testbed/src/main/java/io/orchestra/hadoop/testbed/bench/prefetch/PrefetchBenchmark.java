package io.orchestra.hadoop.testbed.bench.prefetch;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.cluster.MapSlots;
import io.orchestra.hadoop.testbed.process.SignalScope;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** FlexFetch beside the Fair Scheduler, delay scheduling, and jobs whose input is everywhere. */
public final class PrefetchBenchmark implements Benchmark {
  private static final String MACRO = "macro";
  private static final String CONTROL = "control";
  private static final String FAULTS = "faults";
  private static final String KILLS = "kills";
  private static final String DELAY_SCHEDULING = "delay-scheduling";
  private static final String STOCK = Scheduling.STOCK.title();
  private static final String OURS = Scheduling.FLEXFETCH.title();

  /** Those that keys compare. */
  private static final Set<Scheduling> COMPARED =
      Set.of(
          Scheduling.STOCK,
          Scheduling.FLEXFETCH,
          Scheduling.ALL_LOCAL,
          Scheduling.MISLED,
          Scheduling.WITHOUT_ROOM,
          Scheduling.STOCK_DATANODE_KILLED,
          Scheduling.DATANODE_KILLED,
          Scheduling.STOCK_RESOURCEMANAGER_KILLED,
          Scheduling.RESOURCEMANAGER_KILLED);

  /** Of arms that no key compares. */
  private static final int FEW_REPETITIONS = 2;

  private static final Duration CONTROL_TRIAL = Duration.ofSeconds(600);
  private static final Duration START = Duration.ofSeconds(60);

  /** Of a file. */
  private static final Duration PUT = Duration.ofSeconds(1);

  private static final Duration TRIAL = Duration.ofSeconds(500);
  private static final Duration QUICK_TRIAL = Duration.ofSeconds(140);

  @Override
  public String name() {
    return "prefetch";
  }

  @Override
  public String question() {
    return "How much sooner do jobs of a busy cluster finish when blocks come to maps that run away"
        + " from their input, and how much of what could be gained is that?";
  }

  @Override
  public List<RatioKey> ratios() {
    return List.of(
        RatioKey.of(
                "recoveredLocalityGap",
                "mean job time: what FlexFetch saves of what input on every host would save",
                saving(ScheduleRun.ALL, Optional.of(Scheduling.ALL_LOCAL.title())))
            .alsoQuick()
            .targetAtLeast(0.8),
        RatioKey.of(
                "smallJobsReduction",
                "mean time of jobs of bins 1 to 5: what FlexFetch saves of stock's",
                saving(ScheduleRun.SMALL, Optional.empty()))
            .alsoQuick()
            .inPaper(0.418, "50 virtual nodes, section V-A"),
        RatioKey.of(
                "allJobsReduction",
                "mean job time: what FlexFetch saves of stock's",
                saving(ScheduleRun.ALL, Optional.empty()))
            .alsoQuick()
            .inPaper(0.268, "50 virtual nodes, section V-A"),
        RatioKey.of(
                "weightedJobsReduction",
                "mean job time, bins weighted as in table II: what FlexFetch saves of stock's",
                saving(ScheduleRun.WEIGHTED, Optional.empty()))
            .inPaper(0.268, "50 virtual nodes, section V-A"),
        RatioKey.smallest(
                "worstBinSlowdown",
                "mean job time of a bin, stock / FlexFetch, the smallest of all bins: 0.97 is 3 %"
                    + " slower",
                JobMix.FULL.bins().stream()
                    .map(bin -> Formula.PairedRatio.of(MACRO, ScheduleRun.bin(bin), STOCK, OURS))
                    .toList())
            .inPaper(0.95, "less than 5 % slower, bins 6 and 9, section V-A")
            .targetAtLeast(0.97),
        RatioKey.smallest(
                "worstFaultSlowdown",
                "mean job time, stock / FlexFetch when something goes wrong, the smallest over"
                    + " faults",
                Scheduling.FAULTS.stream()
                    .filter(Scheduling::isOurs)
                    .map(
                        fault ->
                            Formula.PairedRatio.of(FAULTS, ScheduleRun.ALL, STOCK, fault.title()))
                    .toList())
            .targetAtLeast(0.97),
        RatioKey.smallest(
                "worstKillSlowdown",
                "mean job time, stock / FlexFetch when the same daemon is killed and started again,"
                    + " the smallest over daemons",
                Scheduling.KILLS.stream()
                    .filter(Scheduling::isOurs)
                    .map(
                        ours ->
                            Formula.PairedRatio.of(
                                KILLS, ScheduleRun.ALL, ours.stock().title(), ours.title()))
                    .toList())
            .targetAtLeast(0.97),
        RatioKey.figure(
            "deadlinesMet",
            "of maps that got containers away from their input, those to which it had come when half of the time that they were expected to take was over",
            MACRO,
            ScheduleRun.READY,
            OURS),
        RatioKey.figure(
                "predictionRecall",
                "of launches away from their input of which a prediction could know two seconds"
                    + " before, those that were foretold on their node then",
                MACRO,
                ScheduleRun.SATURATED_RECALL,
                OURS)
            .targetAtLeast(0.8),
        RatioKey.figure(
            "rawPredictionRecall",
            "of all maps away from their input, also those of which no prediction could know, those"
                + " that were foretold on their node two seconds before",
            MACRO,
            ScheduleRun.RAW_RECALL,
            OURS),
        RatioKey.of(
                "predictMillis1000x4",
                "milliseconds for a prediction of 1000 nodes with four slots, where it takes longest",
                new Formula.Largest(
                    PredictionRun.EXPERIMENT, PredictionRun.MILLIS, PredictionRun.arms()))
            .alsoQuick()
            .inPaper(1000, "1000 tasks, section V")
            .targetAtMost(500),
        RatioKey.of(
                "nodeUpdateSpeed",
                "time for a node's heartbeat, Fair Scheduler / ours: 0.98 is 2 % longer",
                NodeUpdateRun.speed())
            .targetAtLeast(0.98),
        RatioKey.of(
            "assigningNodeUpdateSpeed",
            "time for a node's heartbeat at which a container is assigned, Fair Scheduler / ours",
            NodeUpdateRun.assigningSpeed()));
  }

  private static Formula saving(String figure, Optional<String> bound) {
    return new Formula.PairedSaving(MACRO, figure, OURS, STOCK, bound);
  }

  @Override
  public List<String> experiments(BenchOptions options) {
    return List.of(
        PredictionRun.EXPERIMENT,
        NodeUpdateRun.EXPERIMENT,
        CONTROL,
        MACRO,
        FAULTS,
        KILLS,
        DELAY_SCHEDULING);
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    JobMix mix = mix(options);
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "cluster",
        "%d racks of %d workers with room for one map at a time, links %s, uplinks %s"
            .formatted(
                PrefetchTestbed.RACKS,
                PrefetchTestbed.HOSTS_PER_RACK,
                PrefetchTestbed.HOST_RATE,
                PrefetchTestbed.UPLINK_RATE));
    lines.put(
        "jobs",
        "%d with %d maps, one job of each kind of table II; each map reads a block of %d MiB, which is on one host of each rack; pauses roughly exponential with a mean of %d s"
            .formatted(
                mix.jobs(), mix.maps(), mix.blockBytes() >> 20, mix.meanPause().toSeconds()));
    lines.put(
        "before them",
        "a select of %d maps with input on every host takes all room for maps; it counts in no figure of jobs"
            .formatted(mix.fillingMaps()));
    lines.put(
        "maps",
        "as the machine has few processors, what a map computes is emulated by waiting: %.2f MB of input a second, 1.6 times what a link carries; containers of maps are too small for nodes to be reserved for them"
            .formatted(PrefetchTestbed.MAP_BYTES_PER_SECOND / 1e6));
    lines.put(
        "programs",
        "search: grep; select: GenericMRLoadGenerator; aggregation: aggregatewordcount");
    lines.put("predictions", PredictionRun.description(options));
    lines.put("time", options.estimate(time(options)));
    return lines;
  }

  private static Duration time(BenchOptions options) {
    Duration time = Duration.ZERO;
    if (runs(options, PredictionRun.EXPERIMENT)) {
      time = time.plus(PredictionRun.time(options));
    }
    if (runs(options, NodeUpdateRun.EXPERIMENT)) {
      time = time.plus(NodeUpdateRun.time(options));
    }
    if (runs(options, CONTROL)) {
      time =
          time.plus(START)
              .plus(PUT.multipliedBy(ControlRun.FILES))
              .plus(CONTROL_TRIAL.multipliedBy((long) Scheduling.CONTROL.size() * few(options)));
    }
    List<Schedule> schedules = schedules(options);
    if (!schedules.isEmpty()) {
      time = time.plus(START).plus(PUT.multipliedBy(2L * JobMix.FILES));
    }
    long trials = schedules.stream().mapToLong(schedule -> schedule.trials(options)).sum();
    return time.plus((options.quick() ? QUICK_TRIAL : TRIAL).multipliedBy(trials));
  }

  private static int few(BenchOptions options) {
    return Math.min(FEW_REPETITIONS, options.repetitions());
  }

  /**
   * Whoever asks for none gets all, but what fills no key of a quick run with {@code --quick}, what
   * measures none of the arms that were asked for, and delay scheduling: which delay is best need
   * be known once.
   */
  private static boolean runs(BenchOptions options, String experiment) {
    if (!options.selection().experiments().isEmpty()) {
      return options.runs(experiment);
    }
    return switch (experiment) {
      case PredictionRun.EXPERIMENT, MACRO -> true;
      case FAULTS -> !options.quick() && measuresMore(options, Scheduling.FAULTS);
      case KILLS -> !options.quick() && measuresMore(options, Scheduling.KILLS);
      case DELAY_SCHEDULING -> false;
      default -> !options.quick();
    };
  }

  private static boolean measuresMore(BenchOptions options, List<Scheduling> arms) {
    return arms.stream()
        .anyMatch(arm -> !Scheduling.MACRO.contains(arm) && options.measures(arm.title()));
  }

  /**
   * An experiment in which jobs run as scheduled.
   *
   * @param compared the arms that take part in all repetitions
   */
  private record Schedule(
      String name, String description, List<Scheduling> arms, Set<Scheduling> compared) {

    private long trials(BenchOptions options) {
      return arms.stream()
          .mapToLong(arm -> compared.contains(arm) ? options.repetitions() : few(options))
          .sum();
    }

    private Experiment on(PrefetchTestbed testbed, JobMix mix) {
      ScheduleRun run = new ScheduleRun(testbed, mix, new HashMap<>());
      return Experiment.withoutBusyLink(
              name,
              description,
              "jobs load the links, now one and now another",
              Optional.of(testbed.links()),
              arms.stream()
                  .map(
                      arm ->
                          compared.contains(arm)
                              ? run.arm(arm)
                              : run.arm(arm).upTo(FEW_REPETITIONS))
                  .toList())
          // Each trial has a ResourceManager and processes of its own.
          .withWarmUps(0);
    }
  }

  /** Those that are run. */
  private static List<Schedule> schedules(BenchOptions options) {
    return Stream.of(
            new Schedule(
                MACRO,
                "Jobs as in table II come faster than they can be served. Which link is busy"
                    + " changes with them.",
                options.quick()
                    ? List.of(Scheduling.STOCK, Scheduling.FLEXFETCH, Scheduling.ALL_LOCAL)
                    : Scheduling.MACRO,
                COMPARED),
            new Schedule(
                FAULTS,
                "The same when launches are foretold on hosts where they do not come, and when"
                    + " daemons have no room for a block: jobs should take no longer than with"
                    + " stock.",
                Scheduling.FAULTS,
                COMPARED),
            new Schedule(
                KILLS,
                "The same when a DataNode, or the ResourceManager, is killed in the middle and"
                    + " started again: jobs should take no longer than with stock, under which the"
                    + " same is killed.",
                Scheduling.KILLS,
                COMPARED),
            new Schedule(
                DELAY_SCHEDULING,
                "The same with stock and several settings of delay scheduling. The arm of macro is"
                    + " to have the one with which the mean job takes the least time.",
                Scheduling.DELAY_SCHEDULING,
                Set.of()))
        .filter(schedule -> runs(options, schedule.name()))
        .toList();
  }

  private static JobMix mix(BenchOptions options) {
    return options.quick() ? JobMix.QUICK : JobMix.FULL;
  }

  @Override
  public void run(BenchRun run) {
    if (runs(run.options(), PredictionRun.EXPERIMENT)
        || runs(run.options(), NodeUpdateRun.EXPERIMENT)) {
      compute(run);
    }
    if (runs(run.options(), CONTROL)) {
      runControl(run);
    }
    List<Schedule> schedules = schedules(run.options());
    if (!schedules.isEmpty()) {
      runSchedules(run, schedules);
    }
  }

  /** Before there is a cluster: it would take processor time. */
  private static void compute(BenchRun run) {
    run.home().prepareDirectories();
    try (SignalScope signals = SignalScope.begin()) {
      SchedulerProgram programs = SchedulerProgram.of(run);
      if (runs(run.options(), PredictionRun.EXPERIMENT)) {
        run.experiment(new PredictionRun(run.options(), programs).experiment());
      }
      if (runs(run.options(), NodeUpdateRun.EXPERIMENT)) {
        run.experiment(new NodeUpdateRun(run.options(), programs).experiment());
      }
    }
  }

  private static void runControl(BenchRun run) {
    try (PrefetchTestbed testbed = PrefetchTestbed.up(run, ControlledHosts.SETTINGS)) {
      run.progress().say("writing %d files".formatted(ControlRun.FILES));
      testbed.write(InputFiles.CONTROLLED, ControlRun.FILES, ControlRun.BLOCK_BYTES);
      run.experiment(control(testbed));
      testbed.succeeded();
    }
  }

  private static void runSchedules(BenchRun run, List<Schedule> schedules) {
    JobMix mix = mix(run.options());
    try (PrefetchTestbed testbed = PrefetchTestbed.up(run, MapSlots.ONE_A_HOST)) {
      run.progress().say("writing %d files, twice".formatted(JobMix.FILES));
      testbed.write(InputFiles.SOMEWHERE, JobMix.FILES, mix.blockBytes());
      testbed.write(InputFiles.EVERYWHERE, JobMix.FILES, mix.blockBytes());
      schedules.forEach(schedule -> run.experiment(schedule.on(testbed, mix)));
      testbed.succeeded();
    }
  }

  private static Experiment control(PrefetchTestbed testbed) {
    ControlRun control = new ControlRun(testbed);
    return Experiment.withoutBusyLink(
            CONTROL,
            "Scans and searches of five maps on one worker, and a large shuffle to it meanwhile"
                + " (table III): what comes down to it, with and without CARDINAL (figure 10).",
            "what is measured is who gets how much of it",
            Optional.of(testbed.links()),
            Scheduling.CONTROL.stream().map(way -> control.arm(way).upTo(FEW_REPETITIONS)).toList())
        .withWarmUps(0);
  }
}
