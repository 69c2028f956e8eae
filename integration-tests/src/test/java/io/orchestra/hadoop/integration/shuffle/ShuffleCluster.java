package io.orchestra.hadoop.integration.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.Faults;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Four stock workers with our shuffle service, of which one can have Hadoop's own. Their
 * NodeManagers remember containers and jobs when they are started again. Files have one replica.
 */
final class ShuffleCluster implements AutoCloseable {
  /** Its NodeManager can run Hadoop's own shuffle service. */
  static final String STOCK_HOST = "r2h2";

  private static final Pattern APPLICATION = Pattern.compile("application_(\\d+_\\d+)");
  private static final Duration LONGEST_JOB = Duration.ofMinutes(15);
  private static final String HANDLER = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.HDFS, "dfs.blocksize", "16m"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"),
          new Setting(Site.MAPRED, "mapreduce.reduce.speculative", "false"),
          // Otherwise hosts are left alone for ten seconds and more after a failure.
          new Setting(Site.MAPRED, "mapreduce.reduce.shuffle.retry-delay.max.ms", "1000"),
          new Setting(Site.MAPRED, "mapreduce.reduce.shuffle.connect.timeout", "5000"),
          // Or each container takes a gigabyte, and jobs wait for each other.
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"),
          new Setting(Site.YARN, "yarn.nodemanager.recovery.enabled", "true"),
          new Setting(Site.YARN, "yarn.nodemanager.recovery.dir", "/tmp/recovery"),
          new Setting(Site.YARN, "yarn.nodemanager.address", "${yarn.nodemanager.hostname}:8041"));

  /**
   * A job's end.
   *
   * @param id what is behind {@code job_} and {@code application_}
   * @param report what its client printed
   */
  record Finished(String id, String report) {
    long counter(String name) {
      Matcher counter = Pattern.compile(Pattern.quote(name) + "=(\\d+)").matcher(report);
      assertThat(counter.find()).as("%s in %s", name, report).isTrue();
      return Long.parseLong(counter.group(1));
    }
  }

  private final RunningCluster running;

  private ShuffleCluster(RunningCluster running) {
    this.running = running;
  }

  /** Skips the test where hosts cannot be emulated. */
  static ShuffleCluster up() {
    EmulatedHosts.assumePossible();
    RunningCluster running =
        EmulatedHosts.start(
            ClusterSpec.of(
                    "it-shuffle-" + ProcessHandle.current().pid(),
                    2,
                    2,
                    Rate.parse("200mbit"),
                    Rate.parse("400mbit"))
                .with(List.of(Plugin.SHUFFLE), SETTINGS));
    return new ShuffleCluster(running);
  }

  /** Gives one host Hadoop's own service. */
  void stockService() {
    running.reconfigure(
        List.of(Plugin.SHUFFLE),
        ImmutableList.<Setting>builder()
            .addAll(SETTINGS)
            .add(new Setting(Site.YARN, HANDLER, "org.apache.hadoop.mapred.ShuffleHandler"))
            .build());
    faults().restart(STOCK_HOST, Daemon.NODEMANAGER);
    running.reconfigure(List.of(Plugin.SHUFFLE), SETTINGS);
    running.awaitWorkers();
  }

  /** Returns once the masters of all jobs that have ended are gone. */
  void awaitIdle() {
    EmulatedHosts.awaitNoContainers(running, ShuffleJobs.LONGEST);
  }

  /** Kills a NodeManager and starts it; does not wait until it serves. */
  void bounceNodeManager(String host) {
    hosts().daemons().kill(hosts().host(host), Daemon.NODEMANAGER);
    hosts().daemons().start(hosts().host(host), Daemon.NODEMANAGER);
  }

  Faults faults() {
    return running.faults();
  }

  List<String> workers() {
    return hosts().plan().workers().stream().map(Host::name).toList();
  }

  private Cluster hosts() {
    return running.cluster();
  }

  /** The job was as it should be: nothing is kept when the cluster ends. */
  void succeeded() {
    running.succeeded();
  }

  /** Runs a program of the examples as alice to its end. */
  Finished examples(String program, List<String> settings, String... arguments) {
    List<String> words = new ArrayList<>(List.of("jar", "examples", program));
    settings.forEach(setting -> words.add("-D" + setting));
    words.addAll(List.of(arguments));
    Command.Outcome outcome =
        new HadoopClient(hosts(), hosts().host("m1"), Optional.of(Account.ALICE))
            .hadoop(words)
            .within(LONGEST_JOB)
            .run();
    Matcher application = APPLICATION.matcher(outcome.error());
    assertThat(outcome.succeeded() && application.find()).as(outcome.complaint()).isTrue();
    return new Finished(application.group(1), outcome.error());
  }

  /** Writes a file as alice, whose replica is on a worker. */
  void put(byte[] content, String path, String worker) throws IOException {
    Path file = hosts().directory().host("m1").resolve("tmp/put");
    Files.write(file, content);
    curl(
        "--fail",
        "--upload-file",
        "/tmp/put",
        // As the NameNode would send us there.
        "http://%s:9864/webhdfs/v1%s?user.name=alice&op=CREATE&namenoderpcaddress=m1:8020&overwrite=false"
            .formatted(worker, path));
    Files.delete(file);
  }

  /** SHA-256 of each file of a job's output, by name. */
  Map<String, String> sums(String directory) {
    Map<String, String> sums = new TreeMap<>();
    for (String file : files(directory)) {
      sums.put(file, sum(directory, List.of(file)));
    }
    return sums;
  }

  /** SHA-256 of all files of a job's output, one after the other. */
  String sum(String directory) {
    return sum(directory, files(directory));
  }

  private List<String> files(String directory) {
    return hosts()
        .web()
        .json(url(directory, "LISTSTATUS"))
        .orElseThrow()
        .findValuesAsText("pathSuffix")
        .stream()
        .filter(name -> !name.startsWith("_"))
        .sorted()
        .toList();
  }

  private String sum(String directory, List<String> files) {
    String urls =
        files.stream()
            .map(file -> "'%s'".formatted(url(directory + "/" + file, "OPEN")))
            .collect(Collectors.joining(" "));
    return run(List.of(
            "bash",
            "-c",
            "set -o pipefail; curl --silent --fail --location %s | sha256sum".formatted(urls)))
        .split(" ")[0];
  }

  /** Runs curl on the master. */
  String curl(String... words) {
    return run(
        ImmutableList.<String>builder()
            .add("curl", "--silent", "--show-error", "--location", "--max-time", "30")
            .add(words)
            .build());
  }

  private String run(List<String> words) {
    return hosts().firstMaster().command(Optional.empty(), words).output();
  }

  private static String url(String path, String operation) {
    return "http://m1:9870/webhdfs/v1%s?user.name=alice&op=%s".formatted(path, operation);
  }

  /** What all shuffle services together have counted. */
  long counted(String figure) {
    return workers().stream().mapToLong(worker -> counted(worker, figure)).sum();
  }

  /** What the shuffle service of a worker has counted. */
  private long counted(String worker, String figure) {
    return bean(worker, "OrchestraShuffleServer").path(figure).asLong();
  }

  private JsonNode bean(String worker, String name) {
    return hosts()
        .web()
        .bean("http://" + worker + ":8042", "NodeManager,name=" + name)
        .orElse(MissingNode.getInstance());
  }

  /** Whether a shuffle service names a job among those that it has told sizes. */
  boolean isServed(String job) {
    return workers().stream().anyMatch(worker -> asked(worker, job).isPresent());
  }

  /** What the shuffle service of a worker was asked for by the reducers of a job. */
  private Optional<JsonNode> asked(String worker, String job) {
    return Streams.stream(bean(worker, "OrchestraShuffleJobs").path("Jobs"))
        .filter(jobs -> jobs.path("key").asText().equals("job_" + job))
        .findFirst();
  }

  /** How many ranges of a job's outputs all shuffle services were asked for. */
  long ranges(String job) {
    return workers().stream().mapToLong(worker -> ranges(worker, job)).sum();
  }

  /** How many ranges the shuffle service of a worker was asked for since it began. */
  long ranges(String worker, String job) {
    return asked(worker, job).stream()
        .flatMap(reducers -> reducers.findValues("ranges").stream())
        .mapToLong(JsonNode::asLong)
        .sum();
  }

  /** Lines that reducers of a job have logged of their shuffles when they ended. */
  List<String> explanations(String job) {
    return logged(job, "LaneShuffle: Shuffle of attempt_");
  }

  /** Lines with a text that tasks of a job have logged. */
  List<String> logged(String job, String text) {
    return workers().stream().flatMap(worker -> logged(worker, job, text)).toList();
  }

  private Stream<String> logged(String worker, String job, String text) {
    Path logs =
        hosts().directory().logs(worker).resolve("containers").resolve("application_" + job);
    // Hadoop's own shuffle has a log beside the task's.
    return new ChangingDirectory(logs)
        .find(name -> name.equals("syslog") || name.equals("syslog.shuffle")).stream()
            .flatMap(log -> Splitter.on('\n').splitToStream(read(log)))
            .filter(line -> line.contains(text));
  }

  /** Whether a reducer of a job runs on a worker, or ran there. */
  boolean hasReducer(String worker, String job) {
    return logged(worker, job, "Using ShuffleConsumerPlugin").findAny().isPresent();
  }

  /** Whether a map of a job has ended on a worker. */
  boolean hasMap(String worker, String job) {
    return maps(worker, job) > 0;
  }

  /** How many maps of a job have ended on a worker. */
  long maps(String worker, String job) {
    return logged(worker, job, "Task 'attempt_" + job + "_m_")
        .filter(line -> line.endsWith("' done."))
        .count();
  }

  /** Indexes of the outputs of a job's maps that are on a worker now. */
  List<Path> outputs(String worker, String job) {
    return new ChangingDirectory(files(worker, job).resolve("output"))
        .find("file.out.index"::equals);
  }

  /** Of a job that runs, on a worker. */
  private Path files(String worker, String job) {
    return hosts()
        .directory()
        .host(worker)
        .resolve("nm-local/usercache/alice/appcache/application_" + job);
  }

  /** Whether the NodeManagers have removed all files of a job that has ended. */
  boolean isForgotten(String job) {
    return workers().stream().noneMatch(worker -> Files.exists(files(worker, job)));
  }

  /** Whether a reducer of a job that runs has got bytes of outputs that come in ranges. */
  boolean holdsRanges(String job) {
    return workers().stream()
        .flatMap(worker -> rangeFiles(files(worker, job)).stream())
        .anyMatch(file -> file.toFile().length() > 0);
  }

  /** Files on all workers in which ranges of outputs are put together. */
  List<Path> rangeFiles() {
    return workers().stream()
        .flatMap(worker -> rangeFiles(hosts().directory().host(worker)).stream())
        .toList();
  }

  private static List<Path> rangeFiles(Path root) {
    return new ChangingDirectory(root).find(name -> name.endsWith(".ranges"));
  }

  /** The job that alice's clients submitted last. */
  Optional<String> lastJob() {
    return hosts()
        .web()
        .json("http://m1:8088/ws/v1/cluster/apps?user=alice")
        .orElseThrow(() -> new AssertionError("no answer of the ResourceManager"))
        .path("apps")
        .findValuesAsText("id")
        .stream()
        .filter(id -> id.startsWith("application_"))
        .map(id -> id.substring("application_".length()))
        .max(String::compareTo);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the process of the first attempt of a job's only reducer. */
  void killReducer(String job) {
    String worker =
        workers().stream().filter(each -> hasReducer(each, job)).findFirst().orElseThrow();
    Command.Outcome outcome =
        hosts()
            .shell(hosts().host(worker))
            .command(
                Optional.empty(),
                // A pattern that does not match itself.
                List.of("pkill", "--signal", "KILL", "--full", "attempt_" + job + "_r_000000_[0]"))
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
  }

  @Override
  public void close() {
    running.close();
  }
}
