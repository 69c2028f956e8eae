package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hashing;
import io.orchestra.hadoop.integration.FreePorts;
import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.PrefetchLook;
import io.orchestra.hadoop.integration.PromptHdfs;
import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.PrefetchAgent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManagerWeb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Unmodified jobs whose maps all run on a host that has none of their input: what the scheduler
 * foretells has been brought when they read it.
 */
@Timeout(1200)
final class PrefetchMiniClusterIT {
  private static final int BLOCK = 2 << 20;
  private static final int MAPS = 10;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** Maps that run at a time where there are few containers. */
  private static final int WAVE = 3;

  /** Those of them whose input is on a host that is dead for a while. */
  private static final Set<Integer> LOST_WAVES = Set.of(2, 4);

  private static final Pattern MAP = Pattern.compile("attempt_\\d+_\\d+_m_(\\d+)_\\d+");
  private static final int LONGEST_LINE = 20;
  private static final String ELSEWHERE = "elsewhere";

  /** A host that is dead for a while. */
  private static final String LOST = "lost";

  private static final String SHORT_LIVED_JVM =
      "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
          + " --add-opens=java.base/java.lang=ALL-UNNAMED";

  private final Configuration conf = new HdfsConfiguration();

  // Not below target: a socket's path must be short.
  private final Path directory = Files.createTempDirectory("pm");
  private MiniDFSCluster hdfs;
  private MiniMRYarnCluster yarn;

  PrefetchMiniClusterIT() throws IOException {}

  @BeforeEach
  void start() throws IOException {
    for (String site : new String[] {"hdfs", "yarn", "mapred"}) {
      Path shipped =
          Path.of(
              System.getProperty("orchestra.root"),
              "conf/prefetch-scheduler/%s-site.xml".formatted(site));
      conf.addResource(shipped.toUri().toURL());
    }
    PromptHdfs.configure(conf);
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("orchestra.block-cache.capacity", "256m");
    conf.set("orchestra.block-cache.guard-socket", "false");
    // Otherwise a reader that is kept from running for seconds reads on from HDFS.
    conf.set("orchestra.block-cache.map-input-wait", "60s");
    conf.setInt("orchestra.prefetch.agent.port", FreePorts.next());
    conf.setInt("orchestra.prefetch.daemon.port", FreePorts.next());
    conf.set("orchestra.prefetch.interval", "500ms");
    conf.set("orchestra.prefetch.coordinators", "localhost");
    conf.set("orchestra.prefetch.link-capacity", "1gbit");
    // The loopback interface, which daemons measure, carries the traffic of all other tests, too.
    conf.set("orchestra.prefetch.yield-share", "0");
    // One of few DataNodes from which somebody reads would count as too busy to be written to.
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    NetUtils.addStaticResolution(ELSEWHERE, "localhost");
    NetUtils.addStaticResolution(LOST, "localhost");
    setHost(ELSEWHERE, "away");
    hdfs =
        new MiniDFSCluster.Builder(
                conf, Files.createTempDirectory(Path.of("target"), "prefetch").toFile())
            .numDataNodes(1)
            .checkDataNodeHostConfig(true)
            .build();
    hdfs.waitActive();
  }

  /** What differs from one DataNode to the next. */
  private void setHost(String host, String name) {
    conf.set("dfs.datanode.hostname", host);
    conf.set("orchestra.block-cache.socket", directory.resolve(name + "/s").toString());
    conf.set("orchestra.block-cache.directory", directory.resolve(name + "/b").toString());
  }

  private void startDataNodeBesideMaps() throws IOException {
    startDataNode(yarn.getNodeManager(0).getNMContext().getNodeId().getHost(), "near");
  }

  private void startDataNode(String host, String name) throws IOException {
    setHost(host, name);
    // The only one that leaves the host's name as it is.
    hdfs.startDataNodes(
        conf, 1, null, true, null, null, null, null, null, false, false, true, null, null, null);
    hdfs.waitActive();
  }

  @AfterEach
  void stop() {
    if (yarn != null) {
      yarn.stop();
    }
    hdfs.shutdown(true);
    FileUtil.fullyDelete(directory.toFile());
  }

  /**
   * @param name of its directory
   */
  private void startYarn(String name) {
    yarn = new MiniMRYarnCluster(name, 1);
    Configuration own = new Configuration(conf);
    own.set("yarn.fs-store.root-dir", own.get("hadoop.tmp.dir"));
    own.setInt("yarn.nodemanager.resource.memory-mb", 2048);
    // The user may be root, whose own queue would be called as that of all.
    own.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
    own.setInt("yarn.scheduler.minimum-allocation-mb", 512);
    own.setInt("yarn.resource-types.memory-mb.increment-allocation", 512);
    // Or a stopping NodeManager waits for logs to be old enough to be deleted.
    own.setInt("yarn.nodemanager.log.retain-seconds", 0);
    yarn.init(own);
    yarn.start();
  }

  @Test
  void mapsFindTheirInputAndWriteWhatTheyWouldWithoutUs()
      throws ClassNotFoundException, IOException, InterruptedException {
    writeText();
    assertThat(hdfs.getFileSystem().getFileBlockLocations(path("/text"), 0, BLOCK)[0].getHosts())
        .containsExactly(ELSEWHERE);
    startYarn("prefetch");
    startDataNodeBesideMaps();
    assertThat(yarn.getResourceManager().getResourceScheduler())
        .isInstanceOf(FlexFetchScheduler.class);

    Configuration stock = jobs();
    stock.unset("yarn.app.mapreduce.am.preemption.policy");
    stock.set("dfs.client.replica.accessor.builder.classes", "");
    Map<String, String> expected = count(stock, "/stock");
    assertThat(Metrics.required("OrchestraPrefetch", "Started")).isZero();

    awaitDaemons(2);
    Configuration ours = jobs();
    assertThat(ours.get("yarn.app.mapreduce.am.preemption.policy"))
        .isEqualTo(PrefetchAgent.class.getName());
    assertThat(count(ours, "/ours")).isEqualTo(expected);

    awaitDaemons(2);
    await("what is counted a while after launches")
        .atMost(LONGEST)
        .untilAsserted(() -> assertThat(launchesReady()).as("%s", look()).isPositive());
    assertThat(Metrics.sum("OrchestraPrefetch", "Started")).isPositive();
    assertThat(Metrics.sum("OrchestraBlockCache", "BytesServed"))
        .isGreaterThanOrEqualTo(launchesReady() * (BLOCK - 1000));
    assertThat(Metrics.required("OrchestraPrediction", "Failures")).isZero();
    assertThat(launched())
        .as("RMContainerAllocator's order is ours")
        .hasSizeGreaterThan(3)
        .isSorted();
  }

  /** Maps that had all of their input when they were to read it. */
  private static long launchesReady() {
    return Metrics.sum("OrchestraPrefetch", "LaunchesReady");
  }

  /**
   * Its replicas are the only ones, and are back before a map has failed too often. There are twice
   * as many such maps as containers: while some wait for what they read, others' blocks are yet to
   * be brought.
   */
  @Test
  void aJobOutlivesADeadHostOthersBlocksComeMeanwhileAndItsOwnOnceItIsBack()
      throws ClassNotFoundException, IOException, InterruptedException {
    Map<String, Integer> words = new HashMap<>();
    startDataNode(LOST, "lost");
    write("/input/1", text(1, 2 * WAVE, words), 0);
    write("/input/2", text(2, WAVE, words), 1);
    write("/input/3", text(3, WAVE, words), 0);
    write("/input/4", text(4, WAVE, words), 1);
    for (String lost : List.of("/input/2", "/input/4")) {
      for (BlockLocation block :
          hdfs.getFileSystem().getFileBlockLocations(path(lost), 0, (long) WAVE * BLOCK)) {
        assertThat(block.getHosts()).containsExactly(LOST);
      }
    }
    // Beside those for maps one for the application master; the NodeManager's own key is not read.
    conf.setInt("yarn.minicluster.yarn.nodemanager.resource.memory-mb", (WAVE + 1) * 512);
    startYarn("prefetch-lost");
    startDataNodeBesideMaps();
    awaitDaemons(3);

    Job job = job(jobThatNeedsNoHost(), "/input", "/output");
    job.submit();
    await("the first maps: before one has ended nobody knows when the next are launched")
        .atMost(LONGEST)
        .until(() -> yarn.getNodeManager(0).getNMContext().getContainers().size() > 1);
    var dead = hdfs.stopDataNode(1);
    PrefetchLook then = look();
    await("maps that are to read what is lost")
        .atMost(LONGEST)
        .until(() -> look().foretold().anyMatch(PrefetchMiniClusterIT::readsWhatIsLost));
    PrefetchLook meanwhile =
        await("others' blocks, and a try in vain, or nobody known who could give it")
            .atMost(LONGEST)
            .until(this::look, now -> othersCome(now) > othersCome(then) && isLost(now));
    assertThat(meanwhile.come())
        .as("%s", meanwhile)
        .noneMatch(block -> readsWhatIsLost(block.task()));

    hdfs.restartDataNode(dead);
    hdfs.waitActive();
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(lines("/output/part-r-00000")).isEqualTo(counted(words));
    PrefetchLook end = look();
    assertThat(end.come())
        .as("blocks that nobody else has, none of which had come before: %s", end)
        .anyMatch(block -> readsWhatIsLost(block.task()));
    awaitDaemons(3);
    assertThat(Metrics.required("OrchestraPrediction", "Failures")).isZero();
  }

  private static void awaitDaemons(int hosts) {
    await().atMost(LONGEST).until(() -> Metrics.sum("OrchestraPrefetch", "Daemons") == hosts);
  }

  /** What the job itself needs of HDFS outlives one. */
  private Configuration jobThatNeedsNoHost() {
    Configuration client = jobs();
    client.setInt("dfs.replication", 2);
    // All containers are for maps while any of them waits.
    client.set("mapreduce.job.reduce.slowstart.completedmaps", "1");
    return client;
  }

  /** Whether this is a map whose input is the second file or the last. */
  private static boolean readsWhatIsLost(String attempt) {
    Matcher map = MAP.matcher(attempt);
    return map.matches() && LOST_WAVES.contains(Integer.parseInt(map.group(1)) / WAVE);
  }

  private static long othersCome(PrefetchLook look) {
    return look.come().filter(block -> !readsWhatIsLost(block.task())).count();
  }

  /** A DataNode that has just died is known for some seconds, and does not give what is begun. */
  private static boolean isLost(PrefetchLook look) {
    return look.daemons().noneMatch(LOST::equals)
        || look.begun().anyMatch(block -> readsWhatIsLost(block.task()));
  }

  private PrefetchLook look() throws IOException {
    InetSocketAddress web =
        ResourceManagerWeb.server(yarn.getResourceManager().getRMContext())
            .orElseThrow()
            .getConnectorAddress(0);
    URL page = new URL("http://localhost:%d/orchestra/prefetch".formatted(web.getPort()));
    return new PrefetchLook(new ObjectMapper().readTree(page));
  }

  /** Maps as they got their containers, but for the first, which had theirs before any report. */
  private List<String> launched() throws IOException {
    List<String> tasks = new ArrayList<>();
    look()
        .page()
        .required("lastLaunches")
        .forEach(launch -> tasks.add(launch.required("task").asText()));
    return tasks;
  }

  /** The configuration of the host where maps run. */
  private Configuration jobs() {
    Configuration jobs = new Configuration(yarn.getConfig());
    for (String key :
        new String[] {"orchestra.block-cache.socket", "orchestra.block-cache.directory"}) {
      jobs.set(key, conf.get(key));
    }
    return jobs;
  }

  private Map<String, String> count(Configuration client, String output)
      throws ClassNotFoundException, IOException, InterruptedException {
    assertThat(job(client, "/text", output).waitForCompletion(false)).isTrue();
    FileSystem files = hdfs.getFileSystem();
    Map<String, String> hashes = new TreeMap<>();
    for (FileStatus file : files.listStatus(path(output))) {
      try (FSDataInputStream in = files.open(file.getPath())) {
        hashes.put(
            file.getPath().getName(), Hashing.sha256().hashBytes(in.readAllBytes()).toString());
      }
    }
    return hashes;
  }

  private List<String> lines(String file) throws IOException {
    try (FSDataInputStream in = hdfs.getFileSystem().open(path(file))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  private static Job job(Configuration client, String input, String output) throws IOException {
    client.setInt("mapreduce.job.reduces", 1);
    client.set("mapred.child.java.opts", SHORT_LIVED_JVM);
    client.set("yarn.app.mapreduce.am.command-opts", SHORT_LIVED_JVM);
    client.setInt("mapreduce.map.memory.mb", 512);
    client.setInt("mapreduce.reduce.memory.mb", 512);
    client.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    client.setBoolean("mapreduce.map.speculative", false);
    client.setInt("mapreduce.client.completion.pollinterval", 200);
    Job job = Job.getInstance(client);
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setCombinerClass(WordCount.IntSumReducer.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, path(input));
    FileOutputFormat.setOutputPath(job, path(output));
    return job;
  }

  private void writeText() throws IOException {
    Random random = new Random(7);
    try (FSDataOutputStream out = create("/text", 0)) {
      while (out.getPos() < (long) MAPS * BLOCK - 1000) {
        String text = "w" + random.nextInt(5000) + " w" + random.nextInt(50) + " the\n";
        out.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /** One replica of a file, on one of the DataNodes. */
  private FSDataOutputStream create(String file, int dataNode) throws IOException {
    InetSocketAddress[] there = {hdfs.getDataNodes().get(dataNode).getXferAddress()};
    return hdfs.getFileSystem()
        .create(
            path(file), FsPermission.getFileDefault(), true, 4096, (short) 1, BLOCK, null, there);
  }

  private void write(String file, byte[] content, int dataNode) throws IOException {
    try (FSDataOutputStream out = create(file, dataNode)) {
      out.write(content);
    }
  }

  /**
   * Text of whole blocks: MapReduce takes larger inputs first.
   *
   * @param words how often each is in other texts; those of this one are added
   */
  private static byte[] text(int seed, int blocks, Map<String, Integer> words) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    while (text.length() < blocks * BLOCK - LONGEST_LINE) {
      for (String word : List.of("w" + random.nextInt(5000), "w" + random.nextInt(50), "the")) {
        words.merge(word, 1, Integer::sum);
        text.append(word).append(' ');
      }
      text.append('\n');
    }
    text.append("\n".repeat(blocks * BLOCK - text.length()));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** As the job writes it. */
  private static List<String> counted(Map<String, Integer> words) {
    return words.entrySet().stream()
        .map(word -> word.getKey() + "\t" + word.getValue())
        .sorted()
        .toList();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
