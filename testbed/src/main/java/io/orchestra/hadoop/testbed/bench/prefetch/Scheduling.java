package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.agent.PacedTextInputFormat;
import io.orchestra.hadoop.testbed.cluster.TrafficHelpers;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Who schedules, and what is done about maps away from their input. */
enum Scheduling {
  STOCK("stock", List.of(), List.of()),
  /** Half of the nodes may pass before a rack, and as many before any node. */
  THRESHOLDS_OF_HALF("delay scheduling, thresholds 0.5", List.of(), thresholds("0.5")),
  /** More nodes than there are cannot be made to pass. */
  THRESHOLDS_OF_ALL("delay scheduling, thresholds 1", List.of(), thresholds("1")),
  /** Without any delay: what is gained, or lost, by not waiting for heartbeats. */
  CONTINUOUS("continuous scheduling", List.of(), continuous()),
  /**
   * About as long as a map takes, and as the paper on delay scheduling has a job wait of whose maps
   * 95 % are to have their input.
   */
  DELAY_OF_30_SECONDS("delay scheduling, 30 s", List.of(), delay(Duration.ofSeconds(30))),
  /** About as long as small jobs wait for their turn, which the Fair Scheduler counts too. */
  DELAY_OF_100_SECONDS("delay scheduling, 100 s", List.of(), delay(Duration.ofSeconds(100))),
  /** Longer than most jobs take. */
  DELAY_OF_300_SECONDS("delay scheduling, 300 s", List.of(), delay(Duration.ofSeconds(300))),
  /**
   * What jobs take the least time with, of the settings of {@link #DELAY_SCHEDULING}. Not measured
   * yet: until it is, thresholds that nobody has tuned.
   */
  DELAY("delay scheduling", List.of(), THRESHOLDS_OF_HALF.settings),
  WITHOUT_CARDINAL(
      "FlexFetch without CARDINAL",
      ours(),
      with(cardinal("off", false), new Setting(Site.YARN, "orchestra.prefetch.steadiness", "0"))),
  /**
   * As in the paper: each prefetch has the rate at which its block is there when the map is
   * launched, and does not give way to other traffic.
   */
  JUST_IN_TIME(
      "FlexFetch, just in time",
      ours(),
      with(
          cardinal("improved", false),
          new Setting(Site.YARN, "orchestra.prefetch.steadiness", "0"),
          new Setting(Site.YARN, "orchestra.prefetch.read-delay", "0s"),
          new Setting(Site.YARN, "orchestra.prefetch.reading-share", "0"),
          new Setting(Site.YARN, "orchestra.prefetch.yield-share", "0"))),
  /** The same, and devices on the way keep that rate for it. */
  GUARANTEED(
      "FlexFetch, just in time, guaranteed",
      ours(),
      ImmutableList.<Setting>builder()
          .addAll(JUST_IN_TIME.settings)
          .addAll(TrafficHelpers.SETTINGS)
          .build()),
  FLEXFETCH("FlexFetch", ours(), cardinal("preemptive", false)),
  CONFIRMED("FlexFetch, confirmed too", ours(), cardinal("preemptive", true)),
  /** Stock, whose input is on every host. */
  ALL_LOCAL("all local", List.of(), List.of()),
  /**
   * Launches are foretold where they do not come, and maps tell of more input than they have read,
   * each of another part of it.
   */
  MISLED(
      "FlexFetch, misled",
      ours(),
      with(
          cardinal("preemptive", false),
          new Setting(
              Site.YARN,
              "yarn.resourcemanager.scheduler.class",
              "io.orchestra.hadoop.prefetch.MisledScheduler"),
          new Setting(Site.MAPRED, PacedTextInputFormat.MISLEADS, "true"))),
  /** Caches are full for blocks of this size from the beginning. */
  WITHOUT_ROOM(
      "FlexFetch, without room",
      ours(),
      with(
          cardinal("preemptive", false),
          new Setting(Site.HDFS, "orchestra.prefetch.cache-share", "0.01"))),
  /** In the middle of the schedule a daemon is killed, and started again. */
  STOCK_DATANODE_KILLED("stock, DataNode killed", List.of(), List.of(), Daemon.DATANODE),
  DATANODE_KILLED(
      "FlexFetch, DataNode killed", ours(), cardinal("preemptive", false), Daemon.DATANODE),
  STOCK_RESOURCEMANAGER_KILLED(
      "stock, ResourceManager killed", List.of(), recovering(List.of()), Daemon.RESOURCEMANAGER),
  RESOURCEMANAGER_KILLED(
      "FlexFetch, ResourceManager killed",
      ours(),
      recovering(cardinal("preemptive", false)),
      Daemon.RESOURCEMANAGER);

  /** Of ResourceManagers that recover, below {@code /tmp} of their host. */
  static final String STATE_STORE = "resourcemanager";

  /** Arms of the schedule of jobs. */
  static final List<Scheduling> MACRO =
      List.of(STOCK, DELAY, WITHOUT_CARDINAL, JUST_IN_TIME, FLEXFETCH, CONFIRMED, ALL_LOCAL);

  /** Arms of the schedule that tell which delay is best, and those that they are compared with. */
  static final List<Scheduling> DELAY_SCHEDULING =
      List.of(
          STOCK,
          THRESHOLDS_OF_HALF,
          THRESHOLDS_OF_ALL,
          CONTINUOUS,
          DELAY_OF_30_SECONDS,
          DELAY_OF_100_SECONDS,
          DELAY_OF_300_SECONDS,
          ALL_LOCAL);

  /** Arms of the controlled experiment. */
  static final List<Scheduling> CONTROL = List.of(WITHOUT_CARDINAL, GUARANTEED, FLEXFETCH);

  /**
   * Arms of the schedule in which something goes wrong, and the one that they are compared with.
   */
  static final List<Scheduling> FAULTS = List.of(STOCK, MISLED, WITHOUT_ROOM);

  /** Arms of the schedule in which a daemon is killed. */
  static final List<Scheduling> KILLS =
      List.of(
          STOCK_DATANODE_KILLED,
          DATANODE_KILLED,
          STOCK_RESOURCEMANAGER_KILLED,
          RESOURCEMANAGER_KILLED);

  private final String title;
  private final List<Plugin> plugins;
  private final List<Setting> settings;
  private final Optional<Daemon> killed;

  Scheduling(String title, List<Plugin> plugins, List<Setting> settings) {
    this(title, plugins, settings, Optional.empty());
  }

  Scheduling(String title, List<Plugin> plugins, List<Setting> settings, Daemon killed) {
    this(title, plugins, settings, Optional.of(killed));
  }

  Scheduling(String title, List<Plugin> plugins, List<Setting> settings, Optional<Daemon> killed) {
    this.title = title;
    this.plugins = plugins;
    this.settings = settings;
    this.killed = killed;
  }

  /**
   * How many heartbeats an application lets pass, of nodes without room too.
   *
   * @param nodes as a part of all nodes; above 1 it counts as 1, below 0 nobody waits
   */
  private static List<Setting> thresholds(String nodes) {
    return List.of(
        new Setting(Site.YARN, "yarn.scheduler.fair.locality.threshold.node", nodes),
        new Setting(Site.YARN, "yarn.scheduler.fair.locality.threshold.rack", nodes));
  }

  /** Nodes are offered between heartbeats too. Thresholds count for nothing then. */
  private static List<Setting> continuous() {
    return List.of(
        new Setting(Site.YARN, "yarn.scheduler.fair.continuous-scheduling-enabled", "true"),
        // By default it is 5. Delays are of seconds, and processors are few.
        new Setting(Site.YARN, "yarn.scheduler.fair.continuous-scheduling-sleep-ms", "100"));
  }

  /**
   * How long an application waits for a node with its input, and then for a rack. By time it waits
   * only with continuous scheduling.
   */
  private static List<Setting> delay(Duration delay) {
    String millis = Long.toString(delay.toMillis());
    return with(
        continuous(),
        new Setting(Site.YARN, "yarn.scheduler.fair.locality-delay-node-ms", millis),
        new Setting(Site.YARN, "yarn.scheduler.fair.locality-delay-rack-ms", millis));
  }

  private static List<Plugin> ours() {
    return List.of(Plugin.PREFETCH);
  }

  private static List<Setting> cardinal(String mode, boolean confirmed) {
    return List.of(
        new Setting(Site.YARN, "orchestra.prefetch.cardinal", mode),
        new Setting(Site.YARN, "orchestra.prefetch.confirmed", Boolean.toString(confirmed)));
  }

  /** Applications go on, in the containers they have, when their ResourceManager starts again. */
  private static List<Setting> recovering(List<Setting> settings) {
    return with(
        settings,
        new Setting(Site.YARN, "yarn.resourcemanager.recovery.enabled", "true"),
        new Setting(Site.YARN, "yarn.resourcemanager.work-preserving-recovery.enabled", "true"),
        new Setting(
            Site.YARN,
            "yarn.resourcemanager.store.class",
            "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore"),
        new Setting(
            Site.YARN, "yarn.resourcemanager.fs.state-store.uri", "file:///tmp/" + STATE_STORE),
        // An attempt that was stored, and whose container was not started before the kill, counts
        // as launched: nobody tries again before this, which is ten minutes by default.
        new Setting(Site.YARN, "yarn.am.liveness-monitor.expiry-interval-ms", "60000"));
  }

  private static List<Setting> with(List<Setting> settings, Setting... more) {
    return ImmutableList.<Setting>builder().addAll(settings).add(more).build();
  }

  /** The arm's name. */
  String title() {
    return title;
  }

  List<Plugin> plugins() {
    return plugins;
  }

  List<Setting> settings() {
    return settings;
  }

  /** Whether devices keep rates. */
  boolean isGuaranteed() {
    return this == GUARANTEED;
  }

  /** Whether the scheduler is one of the testbed's. */
  boolean isMisled() {
    return this == MISLED;
  }

  boolean isOurs() {
    return !plugins.isEmpty();
  }

  /** What is killed in the middle of the schedule. */
  Optional<Daemon> killed() {
    return killed;
  }

  /** Stock, where the same is killed. */
  Scheduling stock() {
    return Arrays.stream(values())
        .filter(other -> !other.isOurs() && other.killed.equals(killed))
        .findFirst()
        .orElseThrow();
  }
}
