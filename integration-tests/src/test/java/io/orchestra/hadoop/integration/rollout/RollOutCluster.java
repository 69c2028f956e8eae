package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.LiveDoctor;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Role;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster with two masters whose daemons are restarted one after another, in the order that
 * {@code docs/install.md} gives, with the configuration that is there then.
 */
final class RollOutCluster implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(3);
  static final Progress PROGRESS = Progress.onStandardError();

  /** What a NodeManager logs that takes its node from the cluster when it ends. */
  private static final String FAREWELL = "Successfully Unregistered the Node";

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "orchestra.broadcast.min-file-size", "1m"),
          // A standby that starts learns of the last blocks with the next segment of edits.
          new Setting(Site.HDFS, "dfs.ha.log-roll.period", "5s"),
          new Setting(Site.HDFS, "dfs.ha.tail-edits.period", "1s"),
          // Of four DataNodes one with two readers counts as too busy to take the place of one that
          // restarts, and then the application master ends that writes there.
          new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false"),
          new Setting(Site.YARN, "yarn.nodemanager.recovery.enabled", "true"),
          // Otherwise one that is stopped ends its containers, and says farewell.
          new Setting(Site.YARN, "yarn.nodemanager.recovery.supervised", "true"),
          new Setting(Site.YARN, "yarn.nodemanager.recovery.dir", "/tmp/recovery"),
          // A NodeManager that is started again is the same one as before.
          new Setting(Site.YARN, "yarn.nodemanager.address", "${yarn.nodemanager.hostname}:8041"),
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"));

  /** How far a roll-out has come, of the XML that all hosts share here. */
  enum Stage {
    /** Masters have it: what workers' files would tell tasks is missing. */
    MASTERS(STOCK_JOBS, STOCK_TASKS),
    /** DataNodes and NodeManagers, too, and so the tasks on their hosts. */
    WORKERS(STOCK_JOBS),
    /** Those who submit jobs, too. */
    ALL();

    private final List<Setting> settings;

    @SafeVarargs
    Stage(List<Setting>... settings) {
      this.settings = Stream.of(settings).flatMap(List::stream).toList();
    }
  }

  /**
   * What {@code mapred-site.xml} says as long as those who submit jobs have not got the new one.
   */
  private static final List<Setting> STOCK_JOBS =
      List.of(
          new Setting(
              Site.MAPRED,
              "mapreduce.job.reduce.shuffle.consumer.plugin.class",
              "org.apache.hadoop.mapreduce.task.reduce.Shuffle"),
          new Setting(
              Site.MAPRED,
              "yarn.app.mapreduce.am.preemption.policy",
              "org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy"));

  /** What {@code hdfs-site.xml} of workers tells tasks as long as it is the old one. */
  private static final List<Setting> STOCK_TASKS =
      List.of(
          new Setting(Site.HDFS, "dfs.client.replica.accessor.builder.classes", ""),
          new Setting(Site.HDFS, "orchestra.block-cache.map-input", "false"));

  private final RunningCluster running;

  private RollOutCluster(RunningCluster running) {
    this.running = running;
  }

  /**
   * Without plugins, but with the jars of them all, as after the first step of a roll-out. Skips
   * the test where hosts cannot be emulated.
   */
  static RollOutCluster up() {
    EmulatedHosts.assumePossible();
    return new RollOutCluster(
        EmulatedHosts.start(
            ClusterSpec.of(
                    "it-rollout-" + ProcessHandle.current().pid(),
                    2,
                    2,
                    Rate.parse("100mbit"),
                    Rate.parse("200mbit"))
                .withHighAvailability(true)
                .with(SETTINGS)));
  }

  Cluster hosts() {
    return running.cluster();
  }

  /** What daemons, tasks and clients find when they start, and jobs when they are submitted. */
  void configure(List<Plugin> plugins, Stage stage) {
    running.reconfigure(
        plugins, ImmutableList.<Setting>builder().addAll(SETTINGS).addAll(stage.settings).build());
  }

  /** The standby first, then, after a failover, the one that was active. */
  void restartNameNodes() {
    restartMasters(Daemon.NAMENODE);
  }

  void restartResourceManagers() {
    restartMasters(Daemon.RESOURCEMANAGER);
  }

  private void restartMasters(Daemon daemon) {
    String active = activeMaster();
    String standby = active.equals("m1") ? "m2" : "m1";
    restart(standby, daemon);
    awaitBlocks(standby);
    running.faults().failover(PROGRESS);
    restart(active, daemon);
    awaitBlocks(active);
    assertThat(activeMaster()).isEqualTo(standby);
  }

  /**
   * One after another, so far apart that no job meets two. HDFS's clients never take back a
   * DataNode that has failed in a block's pipeline: an application master whose history is one
   * block would lose all of four one by one, and end, and its client would say "Unknown Job".
   */
  void restartDataNodes(RunningJobs jobs) {
    for (Host worker : hosts().plan().workers()) {
      restart(worker.name(), Daemon.DATANODE);
      running.awaitWorkers();
      jobs.awaitNext();
    }
  }

  /** One after another. */
  void restartNodeManagers() {
    for (Host worker : hosts().plan().workers()) {
      restart(worker.name(), Daemon.NODEMANAGER);
      running.awaitWorkers();
      assertThat(hosts().directory().log(worker.name(), Daemon.NODEMANAGER))
          .as("%s has not left the cluster", worker.name())
          .content()
          .doesNotContain(FAREWELL);
    }
  }

  private void restart(String host, Daemon daemon) {
    PROGRESS.say("restarting the " + daemon.daemonName() + " on " + host);
    running.faults().stopAndStart(host, daemon);
  }

  private String activeMaster() {
    return await("one active NameNode")
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(this::activeMasters, active -> active.size() == 1)
        .get(0);
  }

  private List<String> activeMasters() {
    return hosts().plan().masters().stream()
        .map(Host::name)
        .filter(
            master -> nameNode(master, "NameNodeStatus").path("State").asText().equals("active"))
        .toList();
  }

  /** Until a NameNode that has started knows the blocks, so that it can become active. */
  private void awaitBlocks(String master) {
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(
            () ->
                nameNode(master, "FSNamesystemState")
                    .path("FSState")
                    .asText()
                    .equals("Operational"));
  }

  private JsonNode nameNode(String master, String bean) {
    return hosts()
        .web()
        .bean("http://" + master + ":9870", "NameNode,name=" + bean)
        .orElseThrow(() -> new AssertionError("no answer of the NameNode on " + master));
  }

  /** Runs a stock client as alice. */
  Command.Outcome run(List<String> words) {
    return new HadoopClient(hosts(), hosts().host("m1"), Optional.of(Account.ALICE))
        .hadoop(words)
        .run();
  }

  String output(List<String> words) {
    Command.Outcome outcome = run(words);
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }

  /** The names of our jars on the class path of a role. */
  List<String> jars(Role role) {
    try (Stream<Path> jars = Files.list(hosts().directory().jars(role))) {
      return jars.map(jar -> jar.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns once all plugins are at work in all daemons. */
  void awaitPlugins() {
    awaitPluginsIn(EnumSet.allOf(Daemon.class));
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () ->
                assertThat(LiveDoctor.ask(hosts()))
                    .contains("ok       hdfs-placement: the NameNode http://m1:9870 hears")
                    .contains("ok       hdfs-placement: the NameNode http://m2:9870 hears")
                    .contains("ok       broadcast-cache: the tracker of http://m1:9870 knows")
                    .contains("ok       broadcast-cache: the tracker of http://m2:9870 knows")
                    .contains("ok       broadcast-cache: peer and block cache on all")
                    .contains("ok       mapreduce-shuffle: weighted shuffle service on all")
                    .contains("ok       prefetch-scheduler: the ResourceManager http://")
                    .contains("ok       prefetch-scheduler: prefetch daemon and block cache on all")
                    .doesNotContain("problem  ", "unknown  "));
  }

  /** Returns once all plugins are on in these daemons, and none is in any other. */
  void awaitPluginsIn(Set<Daemon> daemons) {
    PluginSigns signs = new PluginSigns(hosts());
    await()
        .atMost(LONGEST)
        .untilAsserted(() -> assertThat(signs.seen()).isEqualTo(signs.of(daemons)));
  }

  /** What figures are now, each of all daemons that have it. */
  Map<Figure, Long> figures(Set<Figure> figures) {
    return Maps.toMap(figures, figure -> figure.read(hosts()));
  }

  /** Returns once a figure has this value. */
  void awaitFigure(Figure figure, long value) {
    await()
        .atMost(LONGEST)
        .untilAsserted(() -> assertThat(figure.read(hosts())).as(figure.name()).isEqualTo(value));
  }

  /** Whether all figures are higher than they were before. */
  boolean haveGrown(Map<Figure, Long> before) {
    return before.entrySet().stream()
        .allMatch(figure -> figure.getKey().read(hosts()) > figure.getValue());
  }

  /** Returns once they are: figures of web pages are up to a second old. */
  void awaitGrowth(Map<Figure, Long> before) {
    await().atMost(LONGEST).untilAsserted(() -> before.forEach(this::requireGrowth));
  }

  private void requireGrowth(Figure figure, long before) {
    assertThat(figure.read(hosts())).as(figure.name()).isGreaterThan(before);
  }

  /** What shows that plugins are on in some daemon. */
  Set<String> signsOfPlugins() {
    return new PluginSigns(hosts()).seen();
  }

  void succeeded() {
    running.succeeded();
  }

  @Override
  public void close() {
    running.close();
  }
}
