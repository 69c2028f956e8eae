package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import java.util.List;

/**
 * What runs where in the controlled experiment, and when: the resources of hosts decide, which
 * change meanwhile. A map needs more cores than the host of application masters has, and a reduce
 * of the large job more memory than any host has before it may run. The hosts of the first rack
 * have all input.
 */
final class ControlledHosts {
  private static final int MAPS_AT_ONCE = 4;

  /** Keys are where lines of a thousand bytes begin: of four reduces one would get everything. */
  static final int REDUCES = 3;

  private static final int MEGABYTES = 128;
  private static final int MAP_CORES = 8;
  private static final int SOURCE_MAPS = 2;
  private static final int INCREMENT_MEGABYTES = MEGABYTES / 2;
  private static final String NODEMANAGER_PORT = "8041";

  /**
   * The Fair Scheduler gives application masters half of all memory and of all free cores: of the
   * latter there are enough on hosts that are closed, too.
   */
  private static final int CORES = MAPS_AT_ONCE * MAP_CORES;

  private static final Size MASTERS = new Size(10 * MEGABYTES, MAP_CORES - 1);
  private static final Size SOURCE = new Size(SOURCE_MAPS * MEGABYTES, SOURCE_MAPS * MAP_CORES);

  /** Too small for anything. */
  private static final Size CLOSED = new Size(INCREMENT_MEGABYTES, CORES);

  /** More than the host of application masters has. */
  private static final int LARGE_MEGABYTES = MASTERS.megabytes() + 2 * MEGABYTES;

  /** Before any host is made larger, application masters would be told that nothing larger is. */
  private static final int A_DAY_MILLIS = 24 * 3600 * 1000;

  static final List<Setting> SETTINGS =
      ImmutableList.of(
          yarn("yarn.nodemanager.resource.memory-mb", MASTERS.megabytes()),
          yarn("yarn.nodemanager.resource.cpu-vcores", MASTERS.cores()),
          yarn("yarn.scheduler.minimum-allocation-mb", INCREMENT_MEGABYTES),
          yarn("yarn.resource-types.memory-mb.increment-allocation", INCREMENT_MEGABYTES),
          yarn("yarn.scheduler.maximum-allocation-mb", LARGE_MEGABYTES),
          yarn("yarn.scheduler.maximum-allocation-vcores", MAP_CORES),
          yarn("yarn.scheduler.reservation-threshold.increment-multiple", 100),
          yarn("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", A_DAY_MILLIS),
          new Setting(
              Site.YARN,
              "yarn.nodemanager.address",
              "${yarn.nodemanager.hostname}:" + NODEMANAGER_PORT),
          mapred("mapreduce.map.memory.mb", MEGABYTES),
          mapred("mapreduce.map.cpu.vcores", MAP_CORES),
          mapred("mapreduce.reduce.memory.mb", MEGABYTES),
          mapred("yarn.app.mapreduce.am.resource.mb", MEGABYTES));

  /** Of the large job. */
  static final List<String> LARGE_REDUCES =
      List.of("-Dmapreduce.reduce.memory.mb=" + LARGE_MEGABYTES);

  private record Size(int megabytes, int cores) {}

  private final List<String> sources;
  private final String watched;
  private final String masters;

  ControlledHosts(NetworkPlan plan) {
    List<String> workers = plan.workers().stream().map(Host::name).toList();
    sources = workers.subList(0, PrefetchTestbed.HOSTS_PER_RACK);
    watched = workers.get(PrefetchTestbed.HOSTS_PER_RACK);
    masters = workers.get(PrefetchTestbed.HOSTS_PER_RACK + 1);
  }

  private static Setting yarn(String key, int value) {
    return new Setting(Site.YARN, key, Integer.toString(value));
  }

  private static Setting mapred(String key, int value) {
    return new Setting(Site.MAPRED, key, Integer.toString(value));
  }

  /** All in the first rack. */
  List<String> sources() {
    return sources;
  }

  /** The host in the second rack that maps of small jobs run on. */
  String watched() {
    return watched;
  }

  /** Application masters can run, and nothing else. */
  void onlyMasters(Cluster cluster) {
    resize(cluster, masters, MASTERS);
    resize(cluster, watched, CLOSED);
    closeSources(cluster);
  }

  /** Maps run on the hosts that have their input. */
  void openSources(Cluster cluster) {
    sources.forEach(host -> resize(cluster, host, SOURCE));
  }

  void closeSources(Cluster cluster) {
    sources.forEach(host -> resize(cluster, host, CLOSED));
  }

  /** Maps run on the watched host, four at once. */
  void mapsOnWatched(Cluster cluster) {
    resize(cluster, watched, new Size(MAPS_AT_ONCE * MEGABYTES, CORES));
  }

  /** Beside them it has room for the reduces of the large job; for a fifth map it has no cores. */
  void reducesToo(Cluster cluster) {
    resize(
        cluster,
        watched,
        new Size(MAPS_AT_ONCE * MEGABYTES + REDUCES * LARGE_MEGABYTES, CORES + REDUCES));
  }

  /** What runs goes on. */
  private static void resize(Cluster cluster, String host, Size size) {
    String unused =
        HadoopClient.onFirstMaster(cluster, Account.YARN)
            .hadoop(
                List.of(
                    "yarn",
                    "rmadmin",
                    "-updateNodeResource",
                    host + ":" + NODEMANAGER_PORT,
                    Integer.toString(size.megabytes()),
                    Integer.toString(size.cores())))
            .output();
  }
}
