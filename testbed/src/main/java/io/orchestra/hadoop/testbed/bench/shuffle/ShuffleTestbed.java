package io.orchestra.hadoop.testbed.bench.shuffle;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.JobAgent;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.cluster.Agents;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.bench.cluster.DirectedLinks;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Runs jobs whose maps and reducers have their {@link Roles}. */
final class ShuffleTestbed implements AutoCloseable {
  private static final int UPLINK = 10;

  /** Megabytes. */
  private static final int WARM_UP_UNIT = 10;

  private static final Duration LONGEST_JOB = Duration.ofMinutes(10);
  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);
  private static final String GOODPUT = BenchCluster.DIRECTORY + "/goodput";

  /** More than any sender has files. */
  private static final int SEEDS = 100;

  private static final int CALIBRATIONS = 5;
  private static final long CALIBRATION_BYTES = 40_000_000;

  private final BenchCluster bench;
  private final HostProgram jobs;
  private int runs;

  private ShuffleTestbed(BenchCluster bench, HostProgram jobs) {
    this.bench = bench;
    this.jobs = jobs;
  }

  static ShuffleTestbed up(BenchRun run) {
    return Opened.then(
        Roles.cluster(run),
        bench -> {
          HostProgram jobs = bench.agents().onMaster(Account.ALICE, "bench-jobs", JobAgent.class);
          String unused = Agents.expect("ready", jobs.receive(LONGEST_ANSWER));
          bench.emptyDirectory();
          ShuffleTestbed testbed = new ShuffleTestbed(bench, jobs);
          testbed.warmUp(run.progress());
          return testbed;
        });
  }

  /** With a short job each, as the services that serve them run on. */
  private void warmUp(Progress progress) {
    Pattern pattern = Pattern.figure8(WARM_UP_UNIT);
    place(pattern);
    for (Way way : List.of(Way.STOCK, Way.WEIGHTED)) {
      progress.say("warm-up: " + way.title());
      Outcome unused = run(pattern, way);
    }
  }

  /**
   * Bytes per second that one connection from a sender to a receiver carries, the median of some
   * downloads by HTTP: what map outputs come by, too. Begins when the first bytes come.
   */
  double goodput() {
    return IntStream.range(0, CALIBRATIONS)
        .mapToDouble(number -> download(GOODPUT))
        .sorted()
        .toArray()[CALIBRATIONS / 2];
  }

  /** The NameNode sends whoever asks to the one host that has the file. */
  private double download(String file) {
    List<String> figures =
        Splitter.on(' ')
            .splitToList(
                bench
                    .cluster()
                    .shell(bench.cluster().host(Roles.RECEIVERS.get(0)))
                    .command(
                        Optional.empty(),
                        List.of(
                            "curl",
                            "--silent",
                            "--show-error",
                            "--fail",
                            "--location",
                            "--output",
                            "/dev/null",
                            "--write-out",
                            "%{size_download} %{time_starttransfer} %{time_total}",
                            "http://m1:9870/webhdfs/v1%s?user.name=alice&op=OPEN".formatted(file)))
                    .output()
                    .strip());
    return Double.parseDouble(figures.get(0))
        / (Double.parseDouble(figures.get(2)) - Double.parseDouble(figures.get(1)));
  }

  private void put(String file, long bytes, int seed, String host) {
    String unused = bench.put("random", file, bytes, seed, List.of(host));
  }

  /** Puts the files that stand for what senders have on these senders, and slows links down. */
  void place(Pattern pattern) {
    bench.rates(BenchCluster.FAST, BenchCluster.FAST);
    put(GOODPUT, CALIBRATION_BYTES, 1, Roles.SENDERS.get(0));
    for (int sender = 0; sender < Roles.SENDERS.size(); sender++) {
      for (int map = 0; map < pattern.maps(sender); map++) {
        put(
            input(pattern) + "/" + pattern.file(sender, map),
            pattern.fileBytes(sender),
            sender * SEEDS + map,
            Roles.SENDERS.get(sender));
      }
    }
    bench.rates(pattern.rate(), new Rate(UPLINK * pattern.rate().bitsPerSecond()));
  }

  /** The links of all hosts, as a pattern has them. */
  Links links(Pattern pattern) {
    LinkCounters counters = bench.cluster().linkCounters();
    return Links.of(
        () -> DirectedLinks.bytes(counters.read()),
        DirectedLinks.capacities(bench.workers(), pattern.rate()));
  }

  private static String input(Pattern pattern) {
    return BenchCluster.DIRECTORY + "/in-" + pattern.name();
  }

  /**
   * What became of a job.
   *
   * @param seconds from its submission to its end
   * @param reducers their logs
   * @param misplaced hosts that ran more or fewer tasks than they should have
   * @param checksum of its output
   */
  record Outcome(
      double seconds, List<ReducerLog> reducers, Set<String> misplaced, String checksum) {}

  Outcome run(Pattern pattern, Way way) {
    String output = BenchCluster.DIRECTORY + "/out-" + ++runs;
    List<String> settings =
        ImmutableList.<String>builder().addAll(pattern.settings()).addAll(way.settings()).build();
    long start = System.nanoTime();
    String application =
        switch (pattern.job()) {
          case DEMAND -> runDemand(pattern, settings, output);
          case TERASORT -> runTeraSort(pattern, settings, output);
        };
    double seconds = (System.nanoTime() - start) / 1e9;
    String checksum = bench.checksum(output);
    bench.fresh(output);
    ContainerLogs logs = new ContainerLogs(bench.cluster().directory(), application);
    return new Outcome(seconds, reducers(pattern, logs), misplaced(pattern, logs), checksum);
  }

  private String runDemand(Pattern pattern, List<String> settings, String output) {
    List<String> words =
        new ArrayList<>(
            List.of("run", input(pattern), output, Integer.toString(pattern.reducers())));
    words.addAll(settings);
    for (int sender = 0; sender < Roles.SENDERS.size(); sender++) {
      for (int map = 0; map < pattern.maps(sender); map++) {
        words.add(
            "orchestra.bench.demand.%s=%s"
                .formatted(pattern.file(sender, map), pattern.demand(sender)));
      }
    }
    jobs.send(String.join(" ", words));
    return "application_" + Agents.expect("ran ", jobs.receive(LONGEST_JOB));
  }

  private String runTeraSort(Pattern pattern, List<String> settings, String output) {
    List<String> words = new ArrayList<>(List.of("jar", "examples", "terasort"));
    words.add("-Dmapreduce.job.reduces=" + pattern.reducers());
    settings.forEach(setting -> words.add("-D" + setting));
    words.addAll(List.of(input(pattern), output));
    return bench.runJob(words);
  }

  private List<ReducerLog> reducers(Pattern pattern, ContainerLogs logs) {
    List<ReducerLog> reducers = bench.workers().stream().flatMap(logs::reducers).toList();
    if (reducers.size() != pattern.reducers()) {
      throw new TestbedException(
          "%d reducers ran, not %d".formatted(reducers.size(), pattern.reducers()));
    }
    return reducers;
  }

  private Set<String> misplaced(Pattern pattern, ContainerLogs logs) {
    Set<String> misplaced = new TreeSet<>();
    for (String host : bench.workers()) {
      int containers = logs.containers(host).size();
      if (containers != expected(pattern, host)) {
        misplaced.add("%s ran %d".formatted(host, containers));
      }
    }
    return misplaced;
  }

  /** How many containers of a job a host is to run. */
  private static int expected(Pattern pattern, String host) {
    int reducers = pattern.reducersOnSenders() == Roles.SENDERS.contains(host) ? 1 : 0;
    if (Roles.SENDERS.contains(host)) {
      return pattern.maps(Roles.SENDERS.indexOf(host)) + reducers;
    }
    return host.equals(Roles.MASTERS) ? 1 : reducers;
  }

  /** How many ranges our shuffle services have sent so far. */
  long ranges() {
    return bench.workers().stream().mapToLong(this::ranges).sum();
  }

  private long ranges(String host) {
    return bench
        .bean("http://" + host + ":8042", "NodeManager,name=OrchestraShuffleServer")
        .path("RangesSent")
        .asLong();
  }

  void succeeded() {
    bench.succeeded();
  }

  @Override
  public void close() {
    try (bench) {
      jobs.close();
    }
  }
}
