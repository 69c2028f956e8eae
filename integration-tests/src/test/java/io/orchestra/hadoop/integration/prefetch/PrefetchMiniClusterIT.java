package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hashing;
import io.orchestra.hadoop.integration.FreePorts;
import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.PromptHdfs;
import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import io.orchestra.hadoop.prefetch.PrefetchAgent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
 * An unmodified job whose input is all on one host, and whose maps all run on another: what the
 * scheduler foretells has been brought when they read it.
 */
@Timeout(1200)
final class PrefetchMiniClusterIT {
  private static final int BLOCK = 2 << 20;
  private static final int MAPS = 10;
  private static final String ELSEWHERE = "elsewhere";
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
    conf.setInt("orchestra.prefetch.agent.port", FreePorts.next());
    conf.setInt("orchestra.prefetch.daemon.port", FreePorts.next());
    conf.set("orchestra.prefetch.interval", "500ms");
    conf.set("orchestra.prefetch.coordinators", "localhost");
    conf.set("orchestra.prefetch.link-capacity", "1gbit");
    NetUtils.addStaticResolution(ELSEWHERE, "localhost");
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
    setHost(yarn.getNodeManager(0).getNMContext().getNodeId().getHost(), "near");
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

  private void startYarn() {
    yarn = new MiniMRYarnCluster("prefetch", 1);
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
    startYarn();
    startDataNodeBesideMaps();
    assertThat(yarn.getResourceManager().getResourceScheduler())
        .isInstanceOf(FlexFetchScheduler.class);

    Configuration stock = jobs();
    stock.unset("yarn.app.mapreduce.am.preemption.policy");
    stock.set("dfs.client.replica.accessor.builder.classes", "");
    Map<String, String> expected = count(stock, "/stock");
    assertThat(Metrics.required("OrchestraPrefetch", "Started")).isZero();

    Configuration ours = jobs();
    assertThat(ours.get("yarn.app.mapreduce.am.preemption.policy"))
        .isEqualTo(PrefetchAgent.class.getName());
    Map<String, String> actual = count(ours, "/ours");

    assertThat(actual).isEqualTo(expected);
    assertThat(Metrics.sum("OrchestraPrefetch", "Daemons")).isEqualTo(2);
    assertThat(Metrics.sum("OrchestraPrefetch", "Started")).isPositive();
    assertThat(Metrics.sum("OrchestraPrefetch", "LaunchesReady")).isPositive();
    assertThat(Metrics.sum("OrchestraBlockCache", "BytesServed"))
        .isGreaterThanOrEqualTo(Metrics.sum("OrchestraPrefetch", "LaunchesReady") * (BLOCK - 1000));
    assertThat(Metrics.required("OrchestraPrediction", "Failures")).isZero();
    assertThat(launched())
        .as("RMContainerAllocator's order is ours")
        .hasSizeGreaterThan(3)
        .isSorted();
  }

  /** Maps as they got their containers, but for the first, which had theirs before any report. */
  private List<String> launched() throws IOException {
    InetSocketAddress web =
        ResourceManagerWeb.server(yarn.getResourceManager().getRMContext())
            .orElseThrow()
            .getConnectorAddress(0);
    URL page = new URL("http://localhost:%d/orchestra/prefetch".formatted(web.getPort()));
    List<String> tasks = new ArrayList<>();
    new ObjectMapper()
        .readTree(page)
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
    FileInputFormat.addInputPath(job, path("/text"));
    FileOutputFormat.setOutputPath(job, path(output));
    assertThat(job.waitForCompletion(false)).isTrue();
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

  private void writeText() throws IOException {
    Random random = new Random(7);
    DistributedFileSystem files = hdfs.getFileSystem();
    InetSocketAddress[] there = {hdfs.getDataNodes().get(0).getXferAddress()};
    try (FSDataOutputStream out =
        files.create(
            path("/text"),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 1,
            BLOCK,
            null,
            there)) {
      while (out.getPos() < (long) MAPS * BLOCK - 1000) {
        String text = "w" + random.nextInt(5000) + " w" + random.nextInt(50) + " the\n";
        out.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
