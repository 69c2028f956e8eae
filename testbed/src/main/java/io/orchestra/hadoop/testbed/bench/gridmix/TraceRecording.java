package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Draw;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import io.orchestra.hadoop.testbed.bench.cluster.Submission;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixTestbed.LinkRates;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs a mix of jobs on a stock cluster, the one that GridMix loads later, and has Rumen make a
 * trace of the job history.
 */
public final class TraceRecording {
  /**
   * Of input that maps of the trace work on. The recorded ones compute nothing, as they share a few
   * processors; here it is a third more than a link brings.
   */
  static final long MAP_BYTES_PER_SECOND =
      Math.round(LinkRates.MEASURED.host().bytesPerSecond() * 4 / 3);

  private static final int SEED = 1;
  private static final int FILES = 27;
  private static final String INPUT = BenchCluster.DIRECTORY + "/in";
  private static final String SHARED = BenchCluster.DIRECTORY + "/shared";

  /**
   * Where the first master has files that clients upload, below its root, followed by their size.
   */
  private static final String UPLOADS = "tmp/bench-gridmix/private-";

  private static final String TRACE = "tmp/recorded-trace.json";
  private static final Duration LONGEST_JOB = Duration.ofMinutes(25);

  /** Files lie where they are put, however busy a host is at the moment. */
  private static final Setting PLACED =
      new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false");

  private final GridmixTestbed testbed;
  private final Progress progress;

  private TraceRecording(GridmixTestbed testbed, Progress progress) {
    this.testbed = testbed;
    this.progress = progress;
  }

  /** Starts the cluster, records, and stops it. */
  public static Trace record(
      TestbedHome home, Project project, Progress progress, String hadoopVersion) {
    try (GridmixTestbed testbed =
        GridmixTestbed.up(
            home, project, progress, hadoopVersion, LinkRates.MEASURED, List.of(PLACED))) {
      TraceRecording recording = new TraceRecording(testbed, progress);
      recording.write();
      recording.run();
      Trace trace = recording.trace();
      testbed.succeeded();
      return trace;
    }
  }

  private BenchCluster bench() {
    return testbed.bench();
  }

  private Host master() {
    return bench().cluster().plan().firstMaster();
  }

  /** The files that jobs read, share and bring along. */
  private void write() {
    progress.say("writing %d files".formatted(FILES));
    testbed.fast(true);
    bench().emptyDirectory();
    Map<String, String> racks = racks();
    for (int file = 0; file < FILES; file++) {
      put("put", input(file), GridmixTestbed.BLOCK_BYTES, file, inputHosts(file, racks));
    }
    for (int megabytes : sizes(MixedJob.MIX.stream().mapToInt(MixedJob::sharedMegabytes))) {
      String path = shared(megabytes);
      int seed = FILES + megabytes;
      put(
          "random",
          path,
          megabytes << 20,
          seed,
          hosts(new Draw(seed, path), GridmixTestbed.SUBMITTED_REPLICAS, racks));
    }
    testbed.fast(false);
    for (int megabytes : sizes(MixedJob.MIX.stream().mapToInt(MixedJob::privateMegabytes))) {
      upload(testbed.onMaster(UPLOADS + megabytes), megabytes << 20);
    }
  }

  private static TreeSet<Integer> sizes(IntStream megabytes) {
    return new TreeSet<>(megabytes.filter(size -> size > 0).boxed().toList());
  }

  private void put(String kind, String path, int bytes, int seed, List<String> hosts) {
    String unused = bench().put(kind, path, bytes, seed, hosts);
  }

  /** Of workers, in their order. */
  private Map<String, String> racks() {
    Map<String, String> racks = new LinkedHashMap<>();
    bench().workers().forEach(host -> racks.put(host, bench().cluster().host(host).place()));
    return racks;
  }

  /** Of different racks: HDFS does not put two replicas of two or three into one. */
  private static List<String> hosts(Draw draw, int replicas, Map<String, String> racks) {
    Map<String, String> byRack = new LinkedHashMap<>();
    List<String> shuffled = draw.some(racks.size(), List.copyOf(racks.keySet()));
    shuffled.forEach(host -> byRack.putIfAbsent(racks.get(host), host));
    return List.copyOf(byRack.values()).subList(0, replicas);
  }

  /**
   * Where an input file lies.
   *
   * @param racks of workers, in their order
   */
  static List<String> inputHosts(int file, Map<String, String> racks) {
    return hosts(new Draw(file, input(file)), GridmixTestbed.REPLICAS, racks);
  }

  private static void upload(Path file, int bytes) {
    FileTree.directory(file.getParent());
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    try {
      Files.write(file, content);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static String input(int file) {
    return INPUT + "/file" + file;
  }

  private static String shared(int megabytes) {
    return SHARED + "/" + megabytes;
  }

  private void run() {
    progress.say("running %d jobs".formatted(MixedJob.MIX.size()));
    List<Submission> jobs =
        IntStream.range(0, MixedJob.MIX.size())
            .mapToObj(number -> submission(number, MixedJob.MIX.get(number)))
            .toList();
    Map<String, Integer> ended = bench().run(jobs, LONGEST_JOB);
    if (!ended.values().stream().allMatch(status -> status == 0)) {
      throw new TestbedException("a job failed: " + ended);
    }
  }

  private static Submission submission(int number, MixedJob job) {
    return new Submission(
        "job" + number,
        TimeUnit.SECONDS.toMillis(job.seconds()),
        job.words(
            inputs(number, job.maps()),
            BenchCluster.DIRECTORY + "/out" + number,
            "file:///" + UPLOADS + job.privateMegabytes(),
            "hdfs://" + BenchCluster.NAMENODE + shared(job.sharedMegabytes())));
  }

  private static String inputs(int number, int maps) {
    return String.join(",", inputFiles(number, maps).stream().map(TraceRecording::input).toList());
  }

  /** What the maps of a job read, one each. */
  static List<Integer> inputFiles(int number, int maps) {
    List<Integer> files = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
    Collections.shuffle(files, new Draw(SEED, "inputs of " + number).random());
    return List.copyOf(files.subList(0, maps));
  }

  /** The history of jobs lies in two places, until the history server has moved it. */
  private Trace trace() {
    List<EndedJob> unused = bench().historyServer().jobs(0, name -> true, MixedJob.MIX.size());
    progress.say("Rumen makes a trace of the job history");
    HadoopClient.onFirstMaster(bench().cluster(), Account.MAPRED)
        .run(
            List.of(
                "rumentrace",
                "-recursive",
                "file:///" + TRACE,
                "file:///tmp/recorded-topology.json",
                "/mr-history/done",
                "/mr-history/tmp"),
            bench().cluster().directory().logs(master().name()).resolve("rumen.log"));
    Trace trace =
        Trace.parse(FileTree.read(testbed.onMaster(TRACE)))
            .cleaned()
            .computing(MAP_BYTES_PER_SECOND);
    if (trace.jobs().size() != MixedJob.MIX.size()) {
      throw new TestbedException(
          "Rumen found %d of %d jobs".formatted(trace.jobs().size(), MixedJob.MIX.size()));
    }
    return trace;
  }
}
