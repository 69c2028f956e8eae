package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What jobs of a trace took, and whether they did the same as in all runs before. */
final class JobFigures {
  static final String MEAN = "mean job [s]";
  static final String MAKESPAN = "first submission to last end [s]";
  static final String LOCAL = "maps with a replica on their host";
  private static final String MAP = "mean map [s]";
  private static final String SHUFFLE = "mean shuffle of a reduce [s]";
  private static final String PROCESSORS = "processor time of tasks, by their counters [s]";

  /** GridMix gives its jobs names that end in their number in the trace. */
  private static final Pattern NAME = Pattern.compile("GRIDMIX(\\d{6})");

  /** What a job must have read and written, wherever its bytes came from and went. */
  private static final List<String> VERIFIED =
      List.of(
          "HDFS_BYTES_READ",
          "HDFS_BYTES_WRITTEN",
          "MAP_INPUT_RECORDS",
          "MAP_OUTPUT_RECORDS",
          "MAP_OUTPUT_BYTES",
          "REDUCE_INPUT_RECORDS",
          "REDUCE_OUTPUT_RECORDS");

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

  /** Whether a job of this name is one of the trace. */
  static boolean isOfTrace(String name) {
    return NAME.matcher(name).matches();
  }

  /** A job's number in the trace, from 0. */
  static int number(EndedJob job) {
    return Integer.parseInt(NAME.matcher(job.name()).replaceFirst("$1"));
  }

  /** What must be the same in all arms. */
  static String signature(EndedJob job) {
    return VERIFIED.stream()
        .map(name -> name + "=" + job.counter(name))
        .collect(Collectors.joining(" "));
  }

  /**
   * @param jobs of one run
   */
  void addTo(Measurement.Builder measurement, List<EndedJob> jobs) {
    measurement.check(
        "all jobs have succeeded",
        jobs.size() == bins.size() && jobs.stream().allMatch(EndedJob::succeeded),
        "%d of %d".formatted(jobs.stream().filter(EndedJob::succeeded).count(), bins.size()));
    addTimes(measurement, jobs);
    compare(measurement, jobs);
  }

  private void addTimes(Measurement.Builder measurement, List<EndedJob> jobs) {
    measurement.figure(MEAN, mean(jobs.stream().map(EndedJob::seconds).toList()));
    measurement.figure(MAKESPAN, makespan(jobs));
    byBin(jobs)
        .forEach(
            (bin, times) -> {
              measurement.figure(bin.figure(), mean(times));
              measurement.samples(bin.figure(), times.stream().sorted().toList());
            });
    measurement.samples("jobs [s]", jobs.stream().map(EndedJob::seconds).sorted().toList());
    measurement.figure(LOCAL, EndedJob.localMaps(jobs));
    measurement.figure(MAP, EndedJob.meanMap(jobs));
    measurement.figure(
        PROCESSORS, jobs.stream().mapToLong(job -> job.counter("CPU_MILLISECONDS")).sum() / 1e3);
    double reduces = Math.max(1, jobs.stream().mapToInt(EndedJob::reduces).sum());
    measurement.figure(
        SHUFFLE,
        jobs.stream().mapToDouble(job -> job.shuffleSeconds() * job.reduces()).sum() / reduces);
  }

  private static double makespan(List<EndedJob> jobs) {
    long first = jobs.stream().mapToLong(EndedJob::submitted).min().orElseThrow();
    long last = jobs.stream().mapToLong(EndedJob::finished).max().orElseThrow();
    return (last - first) / 1e3;
  }

  private Map<SizeBin, List<Double>> byBin(List<EndedJob> jobs) {
    Map<SizeBin, List<Double>> times = new TreeMap<>();
    jobs.forEach(
        job ->
            times
                .computeIfAbsent(bins.get(number(job)), bin -> new ArrayList<>())
                .add(job.seconds()));
    return times;
  }

  static double mean(List<Double> values) {
    return values.stream().collect(Collectors.averagingDouble(value -> value));
  }

  /** The trace says what jobs read and write; where that is has no part in it. */
  private void compare(Measurement.Builder measurement, List<EndedJob> jobs) {
    Map<Integer, String> different = new HashMap<>();
    for (EndedJob job : jobs.stream().filter(EndedJob::succeeded).toList()) {
      String first = signatures.computeIfAbsent(number(job), number -> signature(job));
      if (!first.equals(signature(job))) {
        different.put(number(job), signature(job) + ", and before " + first);
      }
    }
    measurement.check(
        "jobs read and wrote the same in all arms",
        different.isEmpty(),
        different.isEmpty() ? jobs.size() + " jobs" : different.toString());
  }
}
