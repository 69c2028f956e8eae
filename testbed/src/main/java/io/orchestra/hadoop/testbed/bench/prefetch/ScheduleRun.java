package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import io.orchestra.hadoop.testbed.bench.cluster.Submission;
import io.orchestra.hadoop.testbed.bench.prefetch.JobHistory.MapRun;
import io.orchestra.hadoop.testbed.bench.prefetch.JobMix.PlannedJob;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A schedule of jobs under one way of scheduling, and how its jobs fared. */
final class ScheduleRun {
  static final String ALL = "mean job [s]";
  static final String SMALL = "mean job of bins 1 to 5 [s]";
  static final String WEIGHTED = "mean job, bins weighted as in table II [s]";
  static final String READY = "maps away from their input that had it in time";
  private static final String RECALL = "launches away from their input that were foretold in time";
  static final String SATURATED_RECALL = "the same of those that had waited";
  static final String RAW_RECALL =
      "of all maps away from their input, those that were foretold in time";
  private static final String PRECISION = "launches foretold away from their input that came so";
  private static final String WAITED = "maps launched five seconds after their jobs began or later";
  private static final double WAIT = 5;
  private static final String TIME_ERROR = "launches foretold for another time, on average by [s]";

  /** Of a scheduler that foretells wrongly; what the shadow has wrong may be right then. */
  private static final double MOST_RECALL = 0.1;

  /** On average it is half as much again. */
  private static final double LEAST_LIE = 1.2;

  /** In which all application masters report to a ResourceManager that has started again. */
  private static final long MILLIS_TO_REPORT = 20_000;

  private static final String MAP = "mean map [s]";
  private static final String LOCAL_MAP = "mean map with a replica on its host [s]";
  private static final String AWAY_MAP = "mean map away from its input [s]";
  private static final String SHUFFLE = "mean shuffle of a reduce [s]";
  private static final String LOCAL = "maps with a replica on their host";
  private static final String PREPARED = "maps with a replica on their host, or their input";
  private static final String SEARCH = "grep-search";
  private static final String FILLING = "filling";

  private final PrefetchTestbed testbed;
  private final JobMix mix;
  private final Map<String, String> outputs;
  private Optional<JsonNode> report = Optional.empty();
  private Map<String, Integer> ended = Map.of();
  private long began;
  private long over;
  private Map<String, Long> brought = Map.of();
  private Optional<DaemonKill.Killed> killed = Optional.empty();

  /**
   * @param outputs what jobs have written, of all runs of this benchmark
   */
  ScheduleRun(PrefetchTestbed testbed, JobMix mix, Map<String, String> outputs) {
    this.testbed = testbed;
    this.mix = mix;
    this.outputs = outputs;
  }

  /** The mean of a bin's jobs. */
  static String bin(Bin bin) {
    return "bin %d [s]".formatted(bin.number());
  }

  Arm arm(Scheduling scheduling) {
    return Arm.of(scheduling.title(), trial -> measure(scheduling, trial))
        .preparedBy(trial -> testbed.schedule(scheduling))
        .inspectedBy((trial, measurement) -> inspect(scheduling, trial, measurement));
  }

  private Measurement measure(Scheduling scheduling, Trial trial)
      throws ExecutionException, InterruptedException {
    began = System.currentTimeMillis();
    brought = testbed.broughtBytes();
    List<Submission> jobs = new ArrayList<>(List.of(filling()));
    mix.draw(trial.seed()).stream()
        .map(job -> submission(job, scheduling == Scheduling.ALL_LOCAL))
        .forEach(jobs::add);
    killed = Optional.empty();
    double seconds;
    if (scheduling.killed().isPresent()) {
      try (DaemonKill kill = kill(scheduling, scheduling.killed().get(), trial.seed())) {
        seconds = run(jobs, kill);
      }
    } else {
      seconds = run(jobs);
    }
    report = testbed.report();
    return Measurement.builder().figure("schedule [s]", seconds).build();
  }

  /** Returns the seconds that all jobs took. */
  private double run(List<Submission> jobs) {
    long start = System.nanoTime();
    ended = testbed.run(jobs);
    over = System.currentTimeMillis();
    return (System.nanoTime() - start) / 1e9;
  }

  /** The same while a daemon is killed: where that fails, so may jobs. */
  private double run(List<Submission> jobs, DaemonKill kill)
      throws ExecutionException, InterruptedException {
    try {
      double seconds = run(jobs);
      killed = Optional.of(kill.killed());
      return seconds;
    } catch (RuntimeException failure) {
      Optional<TestbedException> cause = kill.failure();
      if (cause.isEmpty()) {
        throw failure;
      }
      cause.get().addSuppressed(failure);
      throw cause.get();
    }
  }

  private DaemonKill kill(Scheduling scheduling, Daemon daemon, long seed) {
    long millis = mix.faultMillis(seed, PrefetchTestbed.BYTES_PER_SECOND);
    return new DaemonKill(testbed, scheduling, daemon, seed, millis);
  }

  /**
   * A select whose input is on every host: of maps that get free slots nothing can be foretold, and
   * a cluster that is full has none.
   */
  private Submission filling() {
    return new Submission(
        FILLING,
        0,
        Kind.SELECT.words(
            InputFiles.EVERYWHERE.paths(mix.fillingFiles()),
            PrefetchTestbed.output(FILLING),
            mix.fillingMaps()));
  }

  private static Submission submission(PlannedJob job, boolean everywhere) {
    return new Submission(
        job.name(),
        job.millis(),
        job.bin()
            .kind()
            .words(
                (everywhere ? InputFiles.EVERYWHERE : InputFiles.SOMEWHERE).paths(job.files()),
                PrefetchTestbed.output(job.name()),
                job.bin().maps()));
  }

  private void inspect(Scheduling scheduling, Trial trial, Measurement.Builder measurement) {
    List<PlannedJob> schedule = mix.draw(trial.seed());
    List<EndedJob> jobs = new ArrayList<>(testbed.history().since(began, mix.jobs() + 1));
    jobs.removeIf(job -> job.maps() == mix.fillingMaps());
    measurement.check(
        "all jobs have succeeded",
        ended.values().stream().allMatch(status -> status == 0)
            && jobs.stream().allMatch(EndedJob::succeeded),
        "%d programs, %d jobs".formatted(ended.size(), jobs.size()));
    measurement.figure(ALL, mean(jobs, job -> true, EndedJob::seconds));
    measurement.figure(SMALL, mean(jobs, job -> bin(job).isSmall(), EndedJob::seconds));
    Map<Bin, Double> means = new LinkedHashMap<>();
    mix.bins()
        .forEach(bin -> means.put(bin, mean(jobs, job -> bin(job).equals(bin), EndedJob::seconds)));
    means.forEach((bin, seconds) -> measurement.figure(bin(bin), seconds));
    measurement.figure(WEIGHTED, weighted(means));
    measurement.figure(MAP, EndedJob.meanMap(jobs));
    Map<EndedJob, List<MapRun>> runs = new LinkedHashMap<>();
    jobs.forEach(job -> runs.put(job, testbed.history().maps(job)));
    addMapTimes(runs.values().stream().flatMap(List::stream).toList(), measurement);
    measurement.figure(SHUFFLE, mean(jobs, job -> true, EndedJob::shuffleSeconds));
    measurement.figure(LOCAL, EndedJob.localMaps(jobs));
    measurement.samples("jobs [s]", jobs.stream().map(EndedJob::seconds).sorted().toList());
    killed.ifPresent(kill -> addKill(scheduling, kill, measurement));
    addReport(scheduling, jobs, runs, measurement);
    compareOutputs(schedule, trial, measurement);
  }

  /** The mean job if there were as many of each bin as in the paper. */
  private static double weighted(Map<Bin, Double> means) {
    double jobs = means.keySet().stream().mapToInt(Bin::jobsInPaper).sum();
    return means.entrySet().stream()
        .mapToDouble(mean -> mean.getKey().jobsInPaper() / jobs * mean.getValue())
        .sum();
  }

  /** There is no figure of maps of which there were none. */
  private void addMapTimes(List<MapRun> maps, Measurement.Builder measurement) {
    measurement.figure(
        WAITED, maps.stream().filter(map -> map.waited() >= WAIT).count() / (double) maps.size());
    Map<Boolean, Double> seconds =
        maps.stream()
            .collect(
                Collectors.groupingBy(this::isLocal, Collectors.averagingDouble(MapRun::seconds)));
    Optional.ofNullable(seconds.get(true)).ifPresent(mean -> measurement.figure(LOCAL_MAP, mean));
    Optional.ofNullable(seconds.get(false)).ifPresent(mean -> measurement.figure(AWAY_MAP, mean));
  }

  private boolean isLocal(MapRun map) {
    NetworkPlan plan = testbed.bench().cluster().plan();
    return InputFiles.hosts(map.input(), plan).contains(map.host());
  }

  /** No two bins of a kind are equally large. */
  private Bin bin(EndedJob job) {
    boolean isSearch = job.name().equals(SEARCH);
    return mix.bins().stream()
        .filter(bin -> bin.maps() == job.maps() && (bin.kind() == Kind.SEARCH) == isSearch)
        .findFirst()
        .orElseThrow(
            () ->
                new TestbedException(
                    "no bin has the job %s of %d maps".formatted(job.name(), job.maps())));
  }

  private static double mean(
      List<EndedJob> jobs, Predicate<EndedJob> which, ToDoubleFunction<EndedJob> what) {
    return jobs.stream().filter(which).collect(Collectors.averagingDouble(what));
  }

  private void addKill(
      Scheduling scheduling, DaemonKill.Killed kill, Measurement.Builder measurement) {
    kill.addTo(measurement);
    measurement.check("jobs ran when a daemon was killed", kill.at() < over, kill.toString());
    measurement.check(
        "it was killed when it was to be",
        kill.isInTime(),
        "%.1f s later".formatted(kill.delayMillis() / 1e3));
    if (!scheduling.isOurs()) {
      return;
    }
    if (kill.daemon() == Daemon.DATANODE) {
      measurement.check(
          "it took blocks with it that were on their way",
          !kill.lost().isEmpty(),
          "%d of %d".formatted(kill.lost().size(), kill.blocks().size()));
    } else {
      measurement.check(
          "blocks were on their way when it was killed",
          !kill.blocks().isEmpty(),
          Integer.toString(kill.blocks().size()));
    }
  }

  /** When the ResourceManager that answers in the end had started, if not before the schedule. */
  private Optional<Long> restarted() {
    return killed
        .filter(kill -> kill.daemon() == Daemon.RESOURCEMANAGER)
        .map(DaemonKill.Killed::servedAt);
  }

  /**
   * Maps that were launched at a time or later.
   *
   * @param millis since 1970
   */
  private static int launchedSince(long millis, Map<EndedJob, List<MapRun>> runs) {
    int launched = 0;
    for (Map.Entry<EndedJob, List<MapRun>> job : runs.entrySet()) {
      for (MapRun map : job.getValue()) {
        launched += job.getKey().begun() + map.waited() * 1e3 >= millis ? 1 : 0;
      }
    }
    return launched;
  }

  /**
   * @param runs of all maps of the jobs
   */
  private void addReport(
      Scheduling scheduling,
      List<EndedJob> jobs,
      Map<EndedJob, List<MapRun>> runs,
      Measurement.Builder measurement) {
    measurement.check(
        "our scheduler runs where it should, and nowhere else",
        report.isPresent() == scheduling.isOurs(),
        report.isPresent() ? "it runs" : "it does not");
    if (report.isEmpty()) {
      return;
    }
    ScheduledMaps maps = ScheduledMaps.of(report.get(), jobs.stream().map(EndedJob::id).toList());
    maps.places().forEach((where, count) -> measurement.counter("maps: " + where, count));
    int scheduled = jobs.stream().mapToInt(EndedJob::maps).sum();
    // The ResourceManager that was killed took with it what it knew of launches. The next one
    // hears of those after the first report of their job, and of no earlier ones.
    int known =
        restarted().map(served -> launchedSince(served + MILLIS_TO_REPORT, runs)).orElse(scheduled);
    measurement.check(
        "our scheduler tells of most maps of the schedule",
        maps.tellOf(known),
        "%d and %d of %d".formatted(maps.found(), maps.launched(), known));
    report
        .get()
        .path("outcomes")
        .fields()
        .forEachRemaining(e -> measurement.counter("blocks: " + e.getKey(), e.getValue().asLong()));
    measurement.figure(READY, maps.ready());
    measurement.figure(PREPARED, maps.prepared());
    maps.launches().forEach((what, count) -> measurement.counter("launches: " + what, count));
    measurement.counter(
        "launches of all jobs: moved", report.get().path("predictions").path("moved").asLong());
    measurement.figure(RECALL, maps.recall());
    measurement.figure(PRECISION, maps.precision());
    measurement.figure(SATURATED_RECALL, maps.saturatedRecall());
    long away = runs.values().stream().flatMap(List::stream).filter(run -> !isLocal(run)).count();
    measurement.counter("maps away from their input, as the job history says", away);
    if (restarted().isEmpty()) {
      // Otherwise nobody knows any more which launches before were foretold.
      measurement.figure(RAW_RECALL, maps.rawRecall(away));
    }
    maps.secondsOfError().ifPresent(seconds -> measurement.figure(TIME_ERROR, seconds));
    // A DataNode that was killed begins anew, at zero as it did before the schedule.
    Map<String, Long> now = testbed.broughtBytes();
    now.forEach(
        (name, bytes) -> measurement.counter("daemons: " + name, bytes - brought.get(name)));
    long copied = now.get("BytesCopied") - brought.get("BytesCopied");
    if (scheduling == Scheduling.WITHOUT_ROOM) {
      long ordered = report.get().path("outcomes").path("STARTED").asLong();
      // What a grep has found is a few bytes, and fits.
      measurement.check(
          "blocks were ordered, and none was brought",
          ordered > 0 && copied < mix.blockBytes(),
          "%d orders, %d bytes".formatted(ordered, copied));
    } else {
      measurement.check("blocks were brought", copied > 0, copied + " bytes");
    }
    if (scheduling.isMisled()) {
      measurement.check(
          "hardly any launch was foretold where it came",
          maps.recall() < MOST_RECALL,
          "%.2f of those away from their input".formatted(maps.recall()));
      double told = jobs.stream().mapToLong(job -> job.counter("BYTES_READ")).sum();
      double share = told / scheduled / mix.blockBytes();
      measurement.check(
          "maps told of much more input than there is",
          share > LEAST_LIE,
          "%.2f times as much".formatted(share));
    }
  }

  /** What a select keeps is drawn anew each time. */
  private void compareOutputs(
      List<PlannedJob> schedule, Trial trial, Measurement.Builder measurement) {
    int equal = 0;
    int compared = 0;
    for (PlannedJob job : schedule) {
      if (job.bin().kind() != Kind.SELECT) {
        String sums = testbed.checksum(job.name());
        compared++;
        equal +=
            sums.equals(outputs.computeIfAbsent(trial.seed() + " " + job.name(), key -> sums))
                ? 1
                : 0;
      }
    }
    measurement.check(
        "jobs wrote the same in all arms",
        equal == compared,
        "%d of %d".formatted(equal, compared));
  }
}
