package io.orchestra.hadoop.testbed.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.JobStream;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster that a benchmark has to itself, with a program on each host that does what it says. */
public final class BenchCluster implements AutoCloseable {
  /** The directory in HDFS that belongs to the trials. */
  public static final String DIRECTORY = "/bench";

  /** Where the NameNode takes commands. */
  public static final String NAMENODE = "m1:8020";

  /** Of links over which nothing is measured. */
  public static final Rate FAST = Rate.parse("1gbit");

  private static final int JOBS_HEAP_MEGABYTES = 300;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final Duration LONGEST_FILE = Duration.ofMinutes(5);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private final RunningCluster running;
  private final Agents agents;

  private BenchCluster(RunningCluster running, Agents agents) {
    this.running = running;
    this.agents = agents;
  }

  /**
   * Starts the cluster and the programs; closing it ends both. What the run's options set holds in
   * all arms, whatever the benchmark configures later.
   */
  public static BenchCluster up(BenchRun run, ClusterSpec spec) {
    ClusterSpec overridden = spec.overriddenBy(run.options().settings());
    return up(run.home(), run.project(), run.progress(), overridden);
  }

  /** The same, for what is no benchmark. */
  public static BenchCluster up(
      TestbedHome home, Project project, Progress progress, ClusterSpec spec) {
    return Opened.then(
        RunningCluster.up(home, project, spec, progress),
        running -> {
          progress.say("starting a program on each host");
          return new BenchCluster(running, Agents.start(running.cluster()));
        });
  }

  public RunningCluster running() {
    return running;
  }

  public Cluster cluster() {
    return running.cluster();
  }

  /** Tasks find the classes of this command, too. */
  public Setting taskClassPath() {
    return new Setting(
        Site.MAPRED,
        "mapreduce.application.classpath",
        "%s,%s/*".formatted(cluster().taskClassPath(), cluster().directory().commandJars()));
  }

  public Agents agents() {
    return agents;
  }

  /** The names of all workers. */
  public List<String> workers() {
    return cluster().plan().workers().stream().map(Host::name).toList();
  }

  /** Gives links of hosts or racks this rate. */
  public void rate(List<String> links, Rate rate) {
    Map<String, Rate> changed = cluster().state().changedRates();
    for (String link : links) {
      Rate built = cluster().plan().link(link).orElseThrow().rate();
      if (!changed.getOrDefault(link, built).equals(rate)) {
        running.faults().rate(link, rate);
      }
    }
  }

  /** Gives the links of all workers, and those of all racks, these rates. */
  public void rates(Rate hosts, Rate racks) {
    rate(workers(), hosts);
    rate(cluster().plan().rackNames(), racks);
  }

  /** Empties the trials' directory. */
  public void emptyDirectory() {
    fresh(DIRECTORY);
  }

  /** Makes a directory that all may write, or empties it. */
  public void fresh(String directory) {
    String unused = agents.master("fresh " + directory, "fresh", LONGEST_ANSWER);
  }

  /**
   * Writes a file of one block, with a replica on each of these hosts.
   *
   * @param kind of its bytes, as {@code MasterAgent} calls it: put, random or text
   * @return the checksum of what was written
   */
  public String put(String kind, String file, long bytes, long seed, List<String> hosts) {
    return agents.master(
        "%s %s %d %d %s".formatted(kind, file, bytes, seed, String.join(" ", hosts)),
        "put ",
        LONGEST_FILE);
  }

  /** Of the files in a directory and below, {@code FILE=SUM …}; fails if there is none. */
  public String checksum(String directory) {
    return agents.master("checksum " + directory, "checksum ", LONGEST_FILE);
  }

  /**
   * Runs {@code hdfs dfsadmin} as the superuser in a program that runs already; fails if it does.
   */
  public void dfsadmin(String words) {
    String unused = agents.master("dfsadmin " + words, "status 0", LONGEST_ANSWER);
  }

  /**
   * Runs jobs, each at its time, to the end of the last; returns the exit status of each.
   *
   * @param longest until the next of them ends
   */
  public Map<String, Integer> run(List<Submission> jobs, Duration longest) {
    try (HostProgram stream =
        HadoopClient.onFirstMaster(cluster(), Account.ALICE)
            .start("bench-jobs", JobStream.class, JOBS_HEAP_MEGABYTES, List.of())) {
      String unused = Agents.expect("ready", stream.receive(LONGEST_ANSWER));
      jobs.forEach(job -> stream.send(job.line()));
      stream.send("begin");
      Map<String, Integer> ended = new HashMap<>();
      for (String line = stream.receive(longest);
          !line.equals("all");
          line = stream.receive(longest)) {
        String[] words = Agents.expect("ended ", line).split(" ", 2);
        ended.put(words[0], Integer.valueOf(words[1]));
      }
      return ended;
    }
  }

  /**
   * Runs a stock program that submits a job, as alice, to the end of the job.
   *
   * @param words such as {@code jar examples pi 2 10}
   * @return the id of the job's application
   */
  public String runJob(List<String> words) {
    Command program = HadoopClient.onFirstMaster(cluster(), Account.ALICE).hadoop(words);
    Command.Outcome outcome = program.run();
    Matcher id = APPLICATION.matcher(outcome.error());
    if (!outcome.succeeded() || !id.find()) {
      throw new TestbedException(program.name() + " failed:\n" + outcome.complaint());
    }
    return id.group();
  }

  /** What a plugin in the NameNode tells. */
  public JsonNode report(String path) {
    return cluster()
        .web()
        .json("http://m1:9870" + path)
        .orElseThrow(
            () -> new TestbedException("there is no answer at " + path + " of the NameNode"));
  }

  /**
   * What a daemon says of a bean: a missing node if it has none of this name. Silence is no answer:
   * whoever counts would count too little.
   *
   * @param address such as {@code http://r1h1:9864}
   */
  public JsonNode bean(String address, String name) {
    return cluster()
        .web()
        .bean(address, name)
        .orElseThrow(
            () -> new TestbedException("no answer about %s at %s".formatted(name, address)));
  }

  public HistoryServer historyServer() {
    return new HistoryServer(cluster().web());
  }

  /** Adds the check whether the workers' programs used the client of the Hadoop release. */
  public void checkClient(Measurement.Builder measurement) {
    measurement.check(
        "the client is HDFS's own",
        agents.clientJar().contains("/share/hadoop/"),
        agents.clientJar());
  }

  /** What the cluster was for has been done: closing removes all it has stored. */
  public void succeeded() {
    running.succeeded();
  }

  @Override
  public void close() {
    try (running) {
      agents.close();
    }
  }
}
