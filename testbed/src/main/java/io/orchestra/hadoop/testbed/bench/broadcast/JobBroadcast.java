package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.LocalizationLog;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A stock job that sleeps, with an archive for each of its tasks, which run on a host each. YARN
 * localizes the archive as it does for every job: it is private, uploaded by the job's client, and
 * has as many replicas as the client asks for by default.
 */
final class JobBroadcast implements Broadcast {
  static final String SLOWEST = "slowest localization [s]";
  private static final String SPAN = "first start to last localized [s]";
  private static final String MASTER = "localization of the application master [s]";
  private static final String ALL = "localizations [s]";
  private static final String JOB = "job [s]";
  private static final String SLEEP_JOB = "org.apache.hadoop.mapreduce.SleepJob";
  private static final int SLEEP_MILLIS = 1000;

  private final BroadcastTestbed testbed;
  private final JobArchive archive;
  private final Way way;
  private String application = "";
  private SwarmFigures before;

  JobBroadcast(BroadcastTestbed testbed, JobArchive archive, Way way) {
    this.testbed = testbed;
    this.archive = archive;
    this.way = way;
  }

  private int tasks() {
    // One host runs the application's master.
    return testbed.bench().workers().size() - 1;
  }

  @Override
  public void prepare(Trial trial) {
    Cast unused = testbed.everybody();
    testbed.offer(way.isOurs());
    if (way.isOurs()) {
      testbed.refresh(way.liveSettings());
    }
    before = testbed.figures();
  }

  @Override
  public Measurement measure(Trial trial) {
    List<String> words =
        List.of(
            SLEEP_JOB,
            "-Dmapreduce.map.speculative=false",
            "-archives",
            JobArchive.PATH,
            "-m",
            Integer.toString(tasks()),
            "-mt",
            Integer.toString(SLEEP_MILLIS),
            "-r",
            "0");
    long start = System.nanoTime();
    application = testbed.bench().runJob(words);
    return Measurement.builder().figure(JOB, (System.nanoTime() - start) / 1e9).build();
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) {
    List<LocalizationLog.Span> tasks = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (String host : testbed.bench().workers()) {
      LocalizationLog log =
          LocalizationLog.read(testbed.bench().cluster().directory(), host, application);
      log.master().ifPresent(span -> measurement.figure(MASTER, span.seconds()));
      tasks.addAll(log.tasks());
      if (!log.tasks().isEmpty()) {
        hosts.add(host);
      }
    }
    measurement.check(
        "each task had a host to itself",
        tasks.size() == tasks() && hosts.size() == tasks(),
        "%d tasks on %d hosts".formatted(tasks.size(), hosts.size()));
    addTimes(measurement, tasks);
    Reception.check(measurement, archive.content(), archive.localized(hosts));
    SwarmFigures moved = testbed.figures().since(before);
    if (way.isOurs()) {
      moved.addLocalizing(measurement);
    } else {
      moved.addIdle(measurement);
    }
  }

  private static void addTimes(Measurement.Builder measurement, List<LocalizationLog.Span> tasks) {
    List<Double> seconds = tasks.stream().map(LocalizationLog.Span::seconds).sorted().toList();
    LocalDateTime first =
        tasks.stream()
            .map(LocalizationLog.Span::start)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    LocalDateTime last =
        tasks.stream().map(LocalizationLog.Span::end).max(Comparator.naturalOrder()).orElseThrow();
    measurement.figure(SLOWEST, seconds.get(seconds.size() - 1));
    measurement.figure(SPAN, first.until(last, ChronoUnit.MILLIS) / 1e3);
    measurement.samples(ALL, seconds);
  }

  @Override
  public void cleanUp() {
    testbed.offer(true);
  }
}
