package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixHistory.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What jobs of a trace took, and whether they did the same as in all runs before. */
final class JobFigures {
  static final String MEAN = "mean job [s]";
  static final String MAKESPAN = "first submission to last end [s]";
  static final String LOCAL = "maps with a replica on their host";
  private static final String MAP = "mean map [s]";
  private static final String SHUFFLE = "mean shuffle of a reduce [s]";
  private static final String PROCESSORS = "processor time of tasks, by their counters [s]";

  private final List<SizeBin> bins;
  private final Map<Integer, String> signatures;

  /**
   * @param bins of all jobs, in the order of the trace
   * @param signatures what jobs have read and written, of all runs; is added to
   */
  JobFigures(List<SizeBin> bins, Map<Integer, String> signatures) {
    this.bins = bins;
    this.signatures = signatures;
  }

  /**
   * @param jobs of one run, which have ended
   */
  void addTo(Measurement.Builder measurement, List<Job> jobs) {
    measurement.check(
        "all jobs have succeeded",
        jobs.size() == bins.size() && jobs.stream().allMatch(Job::succeeded),
        "%d of %d".formatted(jobs.stream().filter(Job::succeeded).count(), bins.size()));
    addTimes(measurement, jobs);
    compare(measurement, jobs);
  }

  private void addTimes(Measurement.Builder measurement, List<Job> jobs) {
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
    measurement.figure(
        PROCESSORS,
        jobs.stream().mapToLong(job -> job.counters().getOrDefault("CPU_MILLISECONDS", 0L)).sum()
            / 1e3);
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

  static double mean(List<Double> values) {
    return values.stream().collect(Collectors.averagingDouble(value -> value));
  }

  /** The trace says what jobs read and write; where that is has no part in it. */
  private void compare(Measurement.Builder measurement, List<Job> jobs) {
    Map<Integer, String> different = new HashMap<>();
    for (Job job : jobs.stream().filter(Job::succeeded).toList()) {
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
