package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.operator.doctor.Plugin.Hindrance;
import io.orchestra.hadoop.operator.doctor.Plugin.Part;
import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All plugins, and the modules that have settings. */
final class Plugins {
  private static final List<String> HDFS_FILES = List.of("hdfs-site.xml", "core-site.xml");
  private static final List<String> YARN_FILES =
      List.of("yarn-site.xml", "mapred-site.xml", "core-site.xml");

  /** Off: neither of the plugins that bring blocks to a host does. */
  private static final String BLOCK_CACHE = BlockCacheConfig.PREFIX + "enabled";

  private static final Set<String> ACCESSOR =
      Set.of("io.orchestra.hadoop.core.blockcache.LocalReplicaAccessorBuilder");

  private static final Plugin PLACEMENT =
      new Plugin(
          "hdfs-placement",
          new SettingsModule(
              PlacementConfig.PREFIX,
              PlacementConfig.SETTINGS,
              EnumSet.of(Program.NAMENODE, Program.DATANODE),
              HDFS_FILES,
              PlacementConfig::from),
          List.of(PlacementConfig.PREFIX + "enabled"),
          List.of(
              new Part(
                  Program.NAMENODE,
                  "dfs.namenode.plugins",
                  Set.of("io.orchestra.hadoop.placement.LinkCollector")),
              new Part(
                  Program.NAMENODE,
                  List.of(PlacementProbe.POLICY, PlacementProbe.STRIPES_POLICY),
                  PlacementProbe.POLICIES),
              new Part(
                  Program.DATANODE,
                  "dfs.datanode.plugins",
                  Set.of("io.orchestra.hadoop.placement.LinkReporter"))),
          List.of(),
          new PlacementProbe());

  static final Plugin BROADCAST =
      new Plugin(
          "broadcast-cache",
          new SettingsModule(
              BroadcastConfig.PREFIX,
              BroadcastConfig.SETTINGS,
              EnumSet.of(Program.NAMENODE, Program.DATANODE),
              HDFS_FILES,
              BroadcastConfig::from),
          List.of(BroadcastConfig.PREFIX + "enabled", BLOCK_CACHE),
          List.of(
              new Part(
                  Program.NAMENODE,
                  "dfs.namenode.plugins",
                  Set.of("io.orchestra.hadoop.broadcast.SwarmTracker")),
              new Part(
                  Program.DATANODE,
                  "dfs.datanode.plugins",
                  Set.of("io.orchestra.hadoop.broadcast.SwarmPeer")),
              new Part(Program.NODEMANAGER, Plugin.ACCESSORS, ACCESSOR)),
          List.of(),
          new BroadcastProbe());

  private static final Plugin SHUFFLE =
      new Plugin(
          "mapreduce-shuffle",
          new SettingsModule(
              ShuffleConfig.PREFIX,
              ShuffleConfig.SETTINGS,
              EnumSet.of(Program.NODEMANAGER, Program.TASK),
              YARN_FILES,
              ShuffleConfig::from),
          List.of(ShuffleConfig.PREFIX + "enabled"),
          List.of(
              new Part(
                  Program.NODEMANAGER,
                  "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
                  Set.of("io.orchestra.hadoop.shuffle.WeightedShuffleHandler")),
              new Part(
                  Program.TASK,
                  "mapreduce.job.reduce.shuffle.consumer.plugin.class",
                  Set.of("io.orchestra.hadoop.shuffle.WeightedShuffle"))),
          List.of(),
          new ShuffleProbe());

  static final Plugin PREFETCH =
      new Plugin(
          "prefetch-scheduler",
          // The ResourceManager reads one file, DataNodes another, application masters a third.
          new SettingsModule(
              PrefetchConfig.PREFIX,
              PrefetchConfig.SETTINGS,
              EnumSet.of(Program.RESOURCEMANAGER, Program.DATANODE, Program.TASK),
              List.of("yarn-site.xml", "hdfs-site.xml", "mapred-site.xml", "core-site.xml"),
              PrefetchConfig::from),
          List.of(PrefetchConfig.PREFIX + "enabled", PrefetchConfig.PREFIX + "fetch", BLOCK_CACHE),
          List.of(
              new Part(
                  Program.RESOURCEMANAGER,
                  "yarn.resourcemanager.scheduler.class",
                  Set.of("io.orchestra.hadoop.prefetch.FlexFetchScheduler")),
              new Part(
                  Program.DATANODE,
                  "dfs.datanode.plugins",
                  Set.of("io.orchestra.hadoop.prefetch.PrefetchDaemon")),
              // Tasks read both where they run.
              new Part(Program.NODEMANAGER, Plugin.ACCESSORS, ACCESSOR),
              new Part(Program.NODEMANAGER, "orchestra.block-cache.map-input", Plugin.TRUE),
              new Part(
                  Program.TASK,
                  "yarn.app.mapreduce.am.preemption.policy",
                  Set.of("io.orchestra.hadoop.prefetch.PrefetchAgent"))),
          List.of(
              new Hindrance(
                  Program.RESOURCEMANAGER, "yarn.scheduler.fair.continuous-scheduling-enabled"),
              new Hindrance(
                  Program.RESOURCEMANAGER,
                  "yarn.resourcemanager.scheduler.autocorrect.container.allocation")),
          new PrefetchProbe());

  static final List<Plugin> ALL = List.of(PLACEMENT, BROADCAST, SHUFFLE, PREFETCH);

  /** Of plugins, and of what they share. */
  static final List<SettingsModule> SETTINGS =
      List.of(
          PLACEMENT.settings(),
          BROADCAST.settings(),
          SHUFFLE.settings(),
          PREFETCH.settings(),
          new SettingsModule(
              BlockCacheConfig.PREFIX,
              BlockCacheConfig.SETTINGS,
              EnumSet.of(Program.DATANODE, Program.NODEMANAGER, Program.TASK),
              // The last for jobs, which take there what hdfs-site.xml does not say.
              List.of("hdfs-site.xml", "core-site.xml", "mapred-site.xml"),
              BlockCacheConfig::from));

  private Plugins() {}

  /** A class of each module of ours that is in the jar of a role. */
  static List<String> classesFor(Role role) {
    return Stream.concat(
            ACCESSOR.stream(), ALL.stream().flatMap(plugin -> plugin.classFor(role).stream()))
        .toList();
  }
}
