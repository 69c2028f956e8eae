package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixHistory.Job;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** All jobs of a trace under one policy, and how they fared. */
final class GridmixRun {
  static final String MEAN = "mean job [s]";
  static final String MAKESPAN = "first submission to last end [s]";
  private static final String ACROSS = "bytes that left racks [MB]";
  private static final String LOCAL = "maps with a replica on their host";
  private static final String MAP = "mean map [s]";
  private static final String SHUFFLE = "mean shuffle of a reduce [s]";
  private static final String LOCALIZATION = "mean localization of a container [s]";
  private static final Duration LONGEST_HISTORY = Duration.ofSeconds(60);

  private final GridmixTestbed testbed;
  private final String policy;
  private final List<SizeBin> bins;
  private final List<Setting> settings;
  private final Map<Integer, String> signatures;
  private long began;

  /**
   * @param policy as GridMix calls it
   * @param jobs of the trace, in its order
   * @param settings of all arms
   * @param signatures what jobs have read and written, of all runs of this benchmark
   */
  GridmixRun(
      GridmixTestbed testbed,
      String policy,
      List<TraceJob> jobs,
      List<Setting> settings,
      Map<Integer, String> signatures) {
    this.testbed = testbed;
    this.policy = policy;
    this.bins = SizeBin.of(jobs);
    this.settings = settings;
    this.signatures = signatures;
  }

  Arm arm(Way way) {
    return Arm.of(way.title(), this::measure)
        .preparedBy(trial -> testbed.use(way, settings))
        .inspectedBy((trial, measurement) -> inspect(way, measurement));
  }

  private Measurement measure(Trial trial) {
    began = System.currentTimeMillis();
    long before = testbed.acrossRacks();
    testbed.run(policy, trial.seed());
    return Measurement.builder().figure(ACROSS, (testbed.acrossRacks() - before) / 1e6).build();
  }

  private void inspect(Way way, Measurement.Builder measurement) throws InterruptedException {
    // Before anything else is asked that would move bytes or blocks.
    PluginWork work = testbed.pluginWork();
    List<Job> jobs = jobs();
    measurement.check(
        "all jobs have succeeded",
        jobs.size() == bins.size() && jobs.stream().allMatch(Job::succeeded),
        "%d of %d".formatted(jobs.stream().filter(Job::succeeded).count(), bins.size()));
    addTimes(jobs, measurement);
    List<Double> localizations = testbed.localizations(testbed.start());
    measurement.figure(LOCALIZATION, mean(localizations));
    measurement.samples("localizations [s]", localizations);
    work.addTo(measurement, way.plugins());
    compare(jobs, measurement);
  }

  /** The history server hears of a job a little after its client. */
  private List<Job> jobs() throws InterruptedException {
    long limit = System.nanoTime() + LONGEST_HISTORY.toNanos();
    List<Job> jobs = testbed.history().since(began);
    while (jobs.size() < bins.size()) {
      if (System.nanoTime() > limit) {
        throw new TestbedException(
            "the history server knows %d of %d jobs".formatted(jobs.size(), bins.size()));
      }
      TimeUnit.SECONDS.sleep(1);
      jobs = testbed.history().since(began);
    }
    return jobs;
  }

  private void addTimes(List<Job> jobs, Measurement.Builder measurement) {
    measurement.figure(MEAN, mean(jobs.stream().map(Job::seconds).toList()));
    measurement.figure(MAKESPAN, makespan(jobs));
    byBin(jobs)
        .forEach(
            (bin, times) -> {
              measurement.figure(bin.figure(), mean(times));
              measurement.samples(bin.figure(), times.stream().sorted().toList());
            });
    measurement.samples("jobs [s]", jobs.stream().map(Job::seconds).sorted().toList());
    double maps = jobs.stream().mapToInt(Job::maps).sum();
    measurement.figure(LOCAL, jobs.stream().mapToLong(Job::localMaps).sum() / maps);
    measurement.figure(
        MAP, jobs.stream().mapToDouble(job -> job.mapSeconds() * job.maps()).sum() / maps);
    double reduces = Math.max(1, jobs.stream().mapToInt(Job::reduces).sum());
    measurement.figure(
        SHUFFLE,
        jobs.stream().mapToDouble(job -> job.shuffleSeconds() * job.reduces()).sum() / reduces);
  }

  private static double makespan(List<Job> jobs) {
    long first = jobs.stream().mapToLong(Job::submitted).min().orElseThrow();
    long last = jobs.stream().mapToLong(Job::finished).max().orElseThrow();
    return (last - first) / 1e3;
  }

  private Map<SizeBin, List<Double>> byBin(List<Job> jobs) {
    Map<SizeBin, List<Double>> times = new TreeMap<>();
    jobs.forEach(
        job ->
            times
                .computeIfAbsent(bins.get(job.number()), bin -> new ArrayList<>())
                .add(job.seconds()));
    return times;
  }

  private static double mean(List<Double> values) {
    return values.stream().collect(Collectors.averagingDouble(value -> value));
  }

  /** The trace says what jobs read and write; where that is has no part in it. */
  private void compare(List<Job> jobs, Measurement.Builder measurement) {
    Map<Integer, String> different = new HashMap<>();
    for (Job job : jobs) {
      String first = signatures.computeIfAbsent(job.number(), number -> job.signature());
      if (!first.equals(job.signature())) {
        different.put(job.number(), job.signature() + ", and before " + first);
      }
    }
    measurement.check(
        "jobs read and wrote the same in all arms",
        different.isEmpty(),
        different.isEmpty() ? jobs.size() + " jobs" : different.toString());
  }
}
