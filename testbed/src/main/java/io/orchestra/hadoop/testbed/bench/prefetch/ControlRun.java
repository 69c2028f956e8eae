package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.prefetch.JobHistory.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The controlled experiment of FlexFetch (table III and figure 10): scans and searches of five maps
 * one after the other, and a scan whose shuffle takes the links while blocks are prefetched. Four
 * maps at a time on each host, and all input in one rack, so that blocks come to hosts of the other
 * together. The large scan has eight maps instead of twenty.
 */
final class ControlRun {
  static final String READY = "maps away from their input that had it in time";
  static final String MEAN = "mean job of bins 1 and 2 [s]";
  private static final String TITLE = "down to %s [Mbit/s]";
  private static final int SMALL_MAPS = 5;
  private static final int LARGE_MAPS = 8;
  private static final int PAUSE_MILLIS = 5000;

  /** Four maps a host, each slower for that. */
  private static final List<String> OPTIONS =
      List.of(
          "-Dmapreduce.map.memory.mb=256",
          "-Dorchestra.testbed.map-rate=" + PrefetchTestbed.HOST_BYTES_PER_SECOND * 5 / 4,
          "-Ddfs.replication=1");

  /** Of bins 1 and 2, as many of each. */
  private static final int SMALL_JOBS = 4;

  /** Files that are read: small jobs read others than the large one. */
  static final int FILES = LARGE_MAPS + SMALL_JOBS * SMALL_MAPS;

  private final PrefetchTestbed testbed;

  ControlRun(PrefetchTestbed testbed) {
    this.testbed = testbed;
  }

  Arm arm(Scheduling scheduling) {
    return Arm.of(scheduling.title(), this::measure)
        .preparedBy(trial -> testbed.schedule(scheduling));
  }

  private Measurement measure(Trial trial) throws InterruptedException {
    // Of the second rack: it has none of the input.
    String host = testbed.bench().workers().get(PrefetchTestbed.HOSTS_PER_RACK);
    long began = System.currentTimeMillis();
    Measurement.Builder measurement = Measurement.builder();
    Map<String, Integer> ended;
    try (RateWatch watch = new RateWatch(testbed, host)) {
      ended = testbed.run(submissions());
      measurement.curves(TITLE.formatted(host), watch.curves());
    }
    JsonNode report = testbed.report().orElseThrow();
    List<Job> jobs = testbed.history().since(began, ended.size());
    measurement.figure(
        MEAN,
        jobs.stream()
            .filter(job -> job.maps() == SMALL_MAPS)
            .mapToDouble(Job::seconds)
            .average()
            .orElse(0));
    measurement.figure(READY, ScheduleRun.ready(report.path("locality")));
    measurement.check(
        "all jobs have succeeded",
        ended.values().stream().allMatch(status -> status == 0),
        ended.toString());
    return measurement.build();
  }

  /**
   * The large one first: its maps are over, and its shuffle begins, when others wait for blocks.
   */
  private List<Submission> submissions() {
    List<Submission> jobs = new ArrayList<>();
    jobs.add(
        new Submission(
            "large",
            0,
            Kind.scan(inputs(0, LARGE_MAPS), PrefetchTestbed.output("large"), 85, 4, OPTIONS)));
    for (int round = 0; round < SMALL_JOBS; round++) {
      String name = "small" + round;
      String inputs = inputs(LARGE_MAPS + round * SMALL_MAPS, SMALL_MAPS);
      String output = PrefetchTestbed.output(name);
      jobs.add(
          new Submission(
              name,
              1 + (long) round * PAUSE_MILLIS,
              round % 2 == 0
                  ? Kind.scan(inputs, output, 1, 1, OPTIONS)
                  : Kind.search(inputs, output, OPTIONS)));
    }
    return jobs;
  }

  private static String inputs(int first, int maps) {
    return InputFiles.FIRST_RACK.paths(IntStream.range(first, first + maps).boxed().toList());
  }
}
