package io.orchestra.hadoop.testbed.bench.shuffle;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import java.util.List;

/**
 * What runs where. The resources of hosts decide: a map needs as many cores as senders only have,
 * each of which has room for all maps that are meant for it; a reducer needs more memory than a
 * sender has and more cores than the masters' host, or, in a job with reducers on senders, all
 * cores of a sender; the application's master needs more memory than any other host has. Among
 * senders a map runs where its block is.
 */
final class Roles {
  /** Of applications: of the one that runs, and of the last one, which ends some seconds late. */
  static final String MASTERS = "r1h1";

  static final List<String> RECEIVERS = List.of("r1h2", "r2h1");
  static final List<String> SENDERS = List.of("r1h3", "r1h4", "r2h2", "r2h3", "r2h4");

  /** All that a sender runs run at once: none goes to another host for want of room. */
  static final int MAPS_AT_ONCE = 4;

  private static final int MAP_MEGABYTES = 512;
  private static final int MAP_HEAP_MEGABYTES = 256;
  private static final int MAP_CORES = 4;
  private static final int SENDER_MEGABYTES = MAPS_AT_ONCE * MAP_MEGABYTES;
  private static final int SENDER_CORES = MAPS_AT_ONCE * MAP_CORES;

  private static final int REDUCE_MEGABYTES = 3072;
  private static final int REDUCE_CORES = MAP_CORES - 1;
  static final int REDUCE_HEAP_MEGABYTES = 1000;
  private static final int MASTER_MEGABYTES = 4096;
  private static final int MASTERS_CORES = REDUCE_CORES - 1;

  /** Settings of a job whose reducers run on senders when their maps have ended, one on each. */
  static final List<String> REDUCERS_ON_SENDERS =
      List.of(
          "mapreduce.reduce.memory.mb=" + SENDER_MEGABYTES,
          "mapreduce.reduce.cpu.vcores=" + SENDER_CORES);

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false"),
          // A map waits for room on its sender and goes nowhere else: only by time can that be
          // said.
          new Setting(Site.YARN, "yarn.scheduler.fair.continuous-scheduling-enabled", "true"),
          new Setting(Site.YARN, "yarn.scheduler.fair.continuous-scheduling-sleep-ms", "200"),
          new Setting(Site.YARN, "yarn.scheduler.fair.locality-delay-node-ms", "600000"),
          new Setting(Site.YARN, "yarn.scheduler.fair.locality-delay-rack-ms", "600000"),
          new Setting(Site.YARN, "yarn.scheduler.fair.assignmultiple", "true"),
          // Or a host gets half of what it has room for at a time.
          new Setting(Site.YARN, "yarn.scheduler.fair.dynamic.max.assign", "false"),
          new Setting(
              Site.YARN,
              "yarn.scheduler.maximum-allocation-vcores",
              Integer.toString(SENDER_CORES)),
          // Or what a map asks for is rounded up to what a host has.
          new Setting(
              Site.YARN,
              "yarn.resource-types.memory-mb.increment-allocation",
              Integer.toString(MAP_MEGABYTES)),
          // A NodeManager that is started again is the same one as before.
          new Setting(Site.YARN, "yarn.nodemanager.address", "${yarn.nodemanager.hostname}:8041"),
          new Setting(
              Site.YARN,
              "yarn.scheduler.maximum-allocation-mb",
              Integer.toString(MASTER_MEGABYTES)),
          new Setting(
              Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", Integer.toString(MASTER_MEGABYTES)),
          new Setting(Site.MAPRED, "mapreduce.map.memory.mb", Integer.toString(MAP_MEGABYTES)),
          new Setting(Site.MAPRED, "mapreduce.map.cpu.vcores", Integer.toString(MAP_CORES)),
          new Setting(Site.MAPRED, "mapreduce.reduce.cpu.vcores", Integer.toString(REDUCE_CORES)),
          new Setting(
              Site.MAPRED, "mapreduce.reduce.memory.mb", Integer.toString(REDUCE_MEGABYTES)),
          // As much as reducers usually have: most outputs fit into their memory.
          new Setting(
              Site.MAPRED,
              "mapreduce.reduce.java.opts",
              String.join(" ", Jvm.options(REDUCE_HEAP_MEGABYTES))),
          // A map sorts all it makes at once.
          new Setting(Site.MAPRED, "mapreduce.task.io.sort.mb", "128"),
          new Setting(
              Site.MAPRED,
              "mapreduce.map.java.opts",
              String.join(" ", Jvm.options(MAP_HEAP_MEGABYTES))),
          // Otherwise clients see up to five seconds too late that a job has ended.
          new Setting(Site.MAPRED, "mapreduce.client.completion.pollinterval", "200"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"),
          new Setting(Site.MAPRED, "mapreduce.reduce.speculative", "false"),
          new Setting(Site.MAPRED, "mapreduce.job.reduce.slowstart.completedmaps", "1.0"));

  private Roles() {}

  /** Starts a cluster. */
  static BenchCluster cluster(BenchRun run) {
    ClusterSpec spec =
        ClusterSpec.of("bench-shuffle", 2, 4, BenchCluster.FAST, BenchCluster.FAST)
            .withHadoop(run.options().hadoopVersion())
            .with(List.of(Plugin.SHUFFLE), resources(SENDER_MEGABYTES, SENDER_CORES));
    return Opened.prepared(
        BenchCluster.up(run, spec),
        bench -> {
          resize(bench, RECEIVERS, REDUCE_MEGABYTES, REDUCE_CORES);
          resize(bench, List.of(MASTERS), 2 * MASTER_MEGABYTES, MASTERS_CORES);
          bench.running().awaitWorkers();
        });
  }

  private static void resize(BenchCluster bench, List<String> hosts, int megabytes, int cores) {
    bench.running().reconfigure(List.of(Plugin.SHUFFLE), resources(megabytes, cores));
    hosts.forEach(host -> bench.running().faults().restart(host, Daemon.NODEMANAGER));
  }

  private static List<Setting> resources(int megabytes, int cores) {
    return ImmutableList.<Setting>builder()
        .addAll(SETTINGS)
        .add(
            new Setting(
                Site.YARN, "yarn.nodemanager.resource.memory-mb", Integer.toString(megabytes)))
        .add(
            new Setting(Site.YARN, "yarn.nodemanager.resource.cpu-vcores", Integer.toString(cores)))
        .build();
  }
}
