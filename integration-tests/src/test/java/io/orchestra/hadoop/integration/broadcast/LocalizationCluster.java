package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.ProgramJar;
import io.orchestra.hadoop.integration.broadcast.JobResource.Visibility;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.Health;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A stock cluster with YARN and the broadcast cache, each of whose four workers has room for one
 * container: a job with three tasks is localized on all of them. Each file has one replica.
 *
 * <p>Localizers are threads of the NodeManager on some workers, and processes of the job's user on
 * others.
 */
final class LocalizationCluster implements AutoCloseable {
  /** Workers with stock's LinuxContainerExecutor; the others have its DefaultContainerExecutor. */
  static final List<String> PROCESSES = List.of("r1h1", "r1h2");

  private static final int CLIENTS_PER_USER = 4;
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Pattern APPLICATION = Pattern.compile("application_(\\d+_\\d+)");

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.HDFS, "orchestra.broadcast.min-file-size", "1m"),
          new Setting(Site.HDFS, "orchestra.broadcast.announce-interval", "500ms"),
          new Setting(
              Site.HDFS,
              "orchestra.block-cache.connections-per-user",
              Integer.toString(CLIENTS_PER_USER)),
          // However busy the machine is, nobody is to give up.
          new Setting(Site.HDFS, "orchestra.broadcast.join-timeout", "15s"),
          new Setting(Site.HDFS, "orchestra.broadcast.stall-timeout", "60s"),
          new Setting(Site.HDFS, "orchestra.block-cache.wait-limit", "30s"),
          // What came as a swarm is looked at when all jobs have ended.
          new Setting(Site.HDFS, "orchestra.block-cache.idle-time", "1h"),
          new Setting(Site.MAPRED, "mapreduce.client.submit.file.replication", "1"),
          new Setting(Site.MAPRED, "mapreduce.map.memory.mb", "512"),
          new Setting(Site.MAPRED, "mapreduce.reduce.memory.mb", "512"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"),
          // What was uploaded and localized is looked at when the jobs have ended.
          new Setting(Site.MAPRED, "mapreduce.task.files.preserve.failedtasks", "true"),
          new Setting(Site.YARN, "yarn.nodemanager.delete.debug-delay-sec", "3600"),
          new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "512"),
          // A NodeManager that is started again is the same one as before.
          new Setting(Site.YARN, "yarn.nodemanager.address", "${yarn.nodemanager.hostname}:8041"));

  private final RunningCluster running;
  private final List<HostProgram> crowds = new ArrayList<>();
  private boolean failed;

  private LocalizationCluster(RunningCluster running) {
    this.running = running;
  }

  /** Skips the test where hosts cannot be emulated. */
  static LocalizationCluster up() throws IOException {
    EmulatedHosts.assumePossible();
    LocalizationCluster cluster =
        new LocalizationCluster(
            EmulatedHosts.start(
                ClusterSpec.of(
                        "it-yarn-" + ProcessHandle.current().pid(),
                        2,
                        2,
                        Rate.parse("100mbit"),
                        Rate.parse("200mbit"))
                    .with(List.of(Plugin.BROADCAST), SETTINGS)));
    try {
      cluster.separateLocalizers();
      await()
          .atMost(LONGEST)
          .until(() -> cluster.report().path("peers").size() == cluster.workers().size());
      return cluster;
    } catch (IOException | RuntimeException | Error failure) {
      cluster.failed = true;
      cluster.close();
      throw failure;
    }
  }

  /** From now on localizers are processes on some hosts. */
  private void separateLocalizers() throws IOException {
    running.reconfigure(
        List.of(Plugin.BROADCAST),
        ImmutableList.<Setting>builder()
            .addAll(SETTINGS)
            .addAll(ContainerExecutorProgram.settings(hosts().home().mountPoint()))
            .build());
    for (String name : PROCESSES) {
      ContainerExecutorProgram.install(hosts().directory().host(name));
      Host host = hosts().host(name);
      hosts().daemons().kill(host, Daemon.NODEMANAGER);
      hosts().daemons().start(host, Daemon.NODEMANAGER);
    }
    Health health = new Health(hosts());
    for (String name : PROCESSES) {
      await().atMost(LONGEST).until(() -> health.serves(hosts().host(name), Daemon.NODEMANAGER));
    }
    running.awaitWorkers();
  }

  Cluster hosts() {
    return running.cluster();
  }

  List<String> workers() {
    return hosts().plan().workers().stream().map(Host::name).toList();
  }

  /** A path of the host where jobs are submitted, as this process sees it. */
  Path submitting(Path onHost) {
    return hosts().directory().host("m1").resolve(Path.of("/").relativize(onHost));
  }

  /** Copies a file of the host where jobs are submitted into HDFS. */
  void put(Path onHost, String path, Account owner) {
    hosts()
        .firstMaster()
        .command(
            Optional.empty(),
            List.of(
                "curl",
                "--silent",
                "--show-error",
                "--fail",
                "--location",
                "--upload-file",
                onHost.toString(),
                web(path, owner) + "CREATE"))
        .output();
  }

  private static String web(String path, Account user) {
    return "http://m1:9870/webhdfs/v1" + path + "?user.name=" + user.userName() + "&op=";
  }

  /**
   * Runs a job as alice to its end.
   *
   * @return what is behind {@code job_} and {@code application_} in its ids
   */
  String run(List<String> words) {
    Command.Outcome outcome =
        new HadoopClient(hosts(), hosts().host("m1"), Optional.of(Account.ALICE))
            .hadoop(words)
            .run();
    Matcher application = APPLICATION.matcher(outcome.error());
    failed = !outcome.succeeded() || !application.find();
    assertThat(failed).as(outcome.complaint()).isFalse();
    // Or the next job finds a worker taken by this one's master, and has two tasks on another.
    failed = true;
    EmulatedHosts.awaitNoContainers(running, LONGEST);
    failed = false;
    return application.group(1);
  }

  /**
   * More clients of alice than she may have at the block cache of a host, to the end. Whenever one
   * is left since it says nothing, another has its place, also while one of the programs that they
   * are stands still. Returns when she has as many as she may.
   */
  void crowd(String host) throws IOException {
    Path socket =
        hosts().home().mountPoint().resolve("run").resolve(Plugin.BLOCK_CACHE_SOCKET_NAME);
    ProgramJar.write(Crowd.class, hosts().directory().commandJars());
    for (String name : List.of("crowd", "another-crowd", "third-crowd")) {
      crowds.add(
          new HadoopClient(hosts(), hosts().host(host), Optional.of(Account.ALICE))
              .start(
                  name,
                  Crowd.class,
                  50,
                  List.of(socket.toString(), Integer.toString(CLIENTS_PER_USER + 2))));
    }
    await().atMost(LONGEST).until(() -> isFull(host));
  }

  /** Whether the block cache of a host has turned clients away. */
  private boolean isFull(String host) {
    return hosts()
        .web()
        .bean("http://" + host + ":9864", "DataNode,name=OrchestraBlockCache")
        .filter(cache -> cache.has("DeclinedTooManyClients"))
        .isPresent();
  }

  /**
   * A file that alice's client has uploaded for all tasks of a job.
   *
   * @param original the file, or the directory with what is in an archive
   */
  JobResource uploaded(String job, String path, String name, Path original) {
    String staged = staged(job) + path;
    return new JobResource(
        Visibility.PRIVATE,
        staged,
        length(staged),
        Path.of("usercache/alice/filecache"),
        name,
        content(original));
  }

  /** A file that belongs to a job alone. */
  JobResource made(String job, String path, String name) {
    String staged = staged(job) + path;
    return new JobResource(
        Visibility.APPLICATION,
        staged,
        length(staged),
        Path.of("usercache/alice/appcache/application_" + job + "/filecache"),
        name,
        Map.of("", sum(staged)));
  }

  /** A file that everybody may read. */
  JobResource shared(String path, Path original) {
    return new JobResource(
        Visibility.PUBLIC,
        path,
        length(path),
        Path.of("filecache"),
        Path.of(path).getFileName().toString(),
        content(original));
  }

  private static String staged(String job) {
    return "/user/alice/.staging/job_" + job + "/";
  }

  private long length(String path) {
    return json(web(path, Account.ALICE) + "GETFILESTATUS")
        .path("FileStatus")
        .path("length")
        .asLong();
  }

  private JsonNode json(String url) {
    return hosts().web().json(url).orElseThrow(() -> new AssertionError("no answer: " + url));
  }

  /** SHA-256 of a file in HDFS. */
  String sum(String path) {
    String read =
        "set -o pipefail; curl --silent --fail --location '%sOPEN' | sha256sum"
            .formatted(web(path, Account.ALICE));
    return hosts()
        .firstMaster()
        .command(Optional.empty(), List.of("bash", "-c", read))
        .output()
        .split(" ")[0];
  }

  /** Workers that have a replica. */
  Set<String> holders(JobResource resource) {
    Set<String> holders = new HashSet<>();
    json(web(resource.path(), Account.ALICE) + "GETFILEBLOCKLOCATIONS")
        .findPath("BlockLocation")
        .forEach(block -> block.path("hosts").forEach(host -> holders.add(host.asText())));
    return holders;
  }

  /** What a worker has localized of a file; fails if it has not, or twice. */
  Path localized(String worker, JobResource resource) {
    Path cache = hosts().directory().host(worker).resolve("nm-local").resolve(resource.cache());
    try (Stream<Path> numbers = Files.list(cache)) {
      List<Path> found =
          numbers.map(number -> number.resolve(resource.name())).filter(Files::exists).toList();
      assertThat(found).as("%s on %s", resource.path(), worker).hasSize(1);
      return found.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SHA-256 of a file, or of each file in a directory, by relative path. */
  static Map<String, String> content(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      Map<String, String> content = new TreeMap<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        content.put(
            root.relativize(file).toString(),
            MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString());
      }
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode report() {
    return hosts()
        .web()
        .json("http://m1:9870/orchestra/broadcast")
        .orElseGet(MissingNode::getInstance);
  }

  /** Workers that had all pieces of each file as a swarm, by the file's path. */
  Map<String, Set<String>> receivers() {
    JsonNode report = report();
    Map<String, String> names = new TreeMap<>();
    for (JsonNode peer : report.path("peers")) {
      names.put(peer.path("datanode").asText(), name(peer.path("host").asText()));
    }
    Map<String, Set<String>> receivers = new TreeMap<>();
    for (JsonNode swarm : report.path("swarms")) {
      Set<String> whole = new HashSet<>();
      for (JsonNode receiver : swarm.path("receivers")) {
        if (receiver.path("pieces").asInt() == swarm.path("pieces").asInt()) {
          whole.add(names.get(receiver.path("datanode").asText()));
        }
      }
      receivers.put(swarm.path("path").asText(), whole);
    }
    return receivers;
  }

  private String name(String address) {
    return hosts().plan().workers().stream()
        .filter(host -> host.address().equals(address))
        .map(Host::name)
        .findFirst()
        .orElseThrow();
  }

  /** What the DataNode of a worker has counted in a metrics source. */
  Map<String, Long> figures(String worker, String source) {
    ImmutableMap.Builder<String, Long> figures = ImmutableMap.builder();
    hosts()
        .web()
        .bean("http://" + worker + ":9864", "DataNode,name=" + source)
        .orElseThrow(() -> new AssertionError("no answer of the DataNode on " + worker))
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isIntegralNumber()) {
                figures.put(field.getKey(), field.getValue().asLong());
              }
            });
    return figures.buildOrThrow();
  }

  /** Removes everything, but keeps the logs if a job has failed. */
  @Override
  public void close() {
    try (running) {
      crowds.forEach(HostProgram::close);
      if (!failed) {
        running.succeeded();
      }
    }
  }
}
