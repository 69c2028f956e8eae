package io.orchestra.hadoop.testbed.cluster;

import com.google.common.base.Joiner;
import com.google.common.collect.Iterables;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import io.orchestra.hadoop.testbed.network.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings of a stock cluster that is to live on one machine.
 *
 * <p>They hold no host's name but the masters', so every host reads the same files.
 *
 * @param mountPoint where each host sees its own directory
 */
record BaseSettings(
    ClusterSpec spec, ClusterDirectory directory, HadoopHome hadoop, Path mountPoint) {
  private static final String NAME_SERVICE = "testbed";
  private static final int SMALLEST_BLOCK = 64 * 1024;

  SiteSettings settings() {
    SiteSettings settings = new SiteSettings();
    core(settings);
    hdfs(settings);
    yarn(settings);
    mapred(settings);
    if (spec.highlyAvailable()) {
      twoNameNodes(settings);
      twoResourceManagers(settings);
    }
    return settings;
  }

  private void core(SiteSettings settings) {
    Site site = Site.CORE;
    settings.set(
        site, "fs.defaultFS", spec.highlyAvailable() ? "hdfs://" + NAME_SERVICE : "hdfs://m1:8020");
    settings.set(
        site, "net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    settings.set(
        site,
        "net.topology.table.file.name",
        directory.configuration().resolve("topology").toString());
    settings.set(site, "ipc.client.connect.max.retries", "5");
  }

  private void hdfs(SiteSettings settings) {
    Site site = Site.HDFS;
    int workers = spec.racks() * spec.hostsPerRack();
    settings.set(site, "dfs.replication", Integer.toString(Math.min(3, workers)));
    settings.set(site, "dfs.blocksize", "32m");
    settings.set(site, "dfs.namenode.fs-limits.min-block-size", Integer.toString(SMALLEST_BLOCK));
    settings.set(site, "dfs.namenode.name.dir", "file://" + mountPoint + "/name");
    settings.set(site, "dfs.datanode.data.dir", "file://" + mountPoint + "/data");
    settings.set(site, "dfs.namenode.safemode.extension", "0");
    settings.set(site, "dfs.permissions.enabled", "true");
    settings.set(site, "dfs.block.access.token.enable", "true");
  }

  private void yarn(SiteSettings settings) {
    Site site = Site.YARN;
    settings.set(site, "yarn.resourcemanager.hostname", "m1");
    settings.set(
        site,
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler");
    settings.set(site, "yarn.nodemanager.local-dirs", mountPoint + "/nm-local");
    settings.set(site, "yarn.nodemanager.log-dirs", mountPoint + "/logs/containers");
    settings.set(site, "yarn.nodemanager.aux-services", "mapreduce_shuffle");
    settings.set(site, "yarn.nodemanager.resource.memory-mb", "2048");
    settings.set(site, "yarn.nodemanager.resource.cpu-vcores", "4");
    settings.set(site, "yarn.scheduler.minimum-allocation-mb", "128");
    settings.set(site, "yarn.scheduler.maximum-allocation-mb", "2048");
    settings.set(site, "yarn.nodemanager.vmem-check-enabled", "false");
    settings.set(site, "yarn.nodemanager.pmem-check-enabled", "false");
    settings.set(
        site,
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",
        "99");
    settings.set(site, "yarn.nodemanager.env-whitelist", "JAVA_HOME");
    settings.set(
        site,
        "yarn.application.classpath",
        Joiner.on(',')
            .join(
                Iterables.concat(
                    List.of(directory.configuration().toString()), hadoop.classPath())));
  }

  private void mapred(SiteSettings settings) {
    Site site = Site.MAPRED;
    settings.set(site, "mapreduce.framework.name", "yarn");
    settings.set(site, "mapreduce.application.classpath", taskClassPath(directory, hadoop));
    settings.set(site, "yarn.app.mapreduce.am.resource.mb", "512");
    settings.set(site, "yarn.app.mapreduce.am.command-opts", String.join(" ", Jvm.options(300)));
    settings.set(site, "yarn.app.mapreduce.am.staging-dir", "/user");
    settings.set(site, "mapreduce.map.memory.mb", "256");
    settings.set(site, "mapreduce.reduce.memory.mb", "256");
    settings.set(site, "mapred.child.java.opts", String.join(" ", Jvm.options(180)));
    settings.set(site, "mapreduce.task.io.sort.mb", "40");
    settings.set(site, "mapreduce.jobhistory.address", "m1:10020");
    settings.set(site, "mapreduce.jobhistory.webapp.address", "m1:19888");
    settings.set(site, "mapreduce.jobhistory.done-dir", "/mr-history/done");
    settings.set(site, "mapreduce.jobhistory.intermediate-done-dir", "/mr-history/tmp");
    settings.set(site, "mapreduce.jobhistory.jhist.format", "json");
  }

  private void twoNameNodes(SiteSettings settings) {
    Site site = Site.HDFS;
    List<String> names = new ArrayList<>();
    for (Host master : spec.network().masters()) {
      String name = nameNode(master);
      names.add(name);
      String suffix = "." + NAME_SERVICE + "." + name;
      settings.set(site, "dfs.namenode.rpc-address" + suffix, master.name() + ":8020");
      settings.set(site, "dfs.namenode.http-address" + suffix, master.name() + ":9870");
    }
    settings.set(site, "dfs.nameservices", NAME_SERVICE);
    settings.set(site, "dfs.ha.namenodes." + NAME_SERVICE, String.join(",", names));
    settings.set(site, "dfs.namenode.shared.edits.dir", "file://" + directory.shared() + "/edits");
    settings.set(site, "dfs.ha.automatic-failover.enabled", "false");
    settings.set(site, "dfs.ha.fencing.methods", "shell(/bin/true)");
    settings.set(
        site,
        "dfs.client.failover.proxy.provider." + NAME_SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
  }

  private void twoResourceManagers(SiteSettings settings) {
    Site site = Site.YARN;
    List<Host> masters = spec.network().masters();
    settings.set(site, "yarn.resourcemanager.ha.enabled", "true");
    settings.set(site, "yarn.resourcemanager.ha.automatic-failover.enabled", "false");
    settings.set(site, "yarn.resourcemanager.cluster-id", NAME_SERVICE);
    settings.set(
        site,
        "yarn.resourcemanager.ha.rm-ids",
        masters.stream().map(BaseSettings::resourceManager).collect(Collectors.joining(",")));
    for (Host master : masters) {
      String name = resourceManager(master);
      settings.set(site, "yarn.resourcemanager.hostname." + name, master.name());
      // MapReduce's application master does not derive this one, and fails without it.
      settings.set(site, "yarn.resourcemanager.webapp.address." + name, master.name() + ":8088");
    }
    // Otherwise a NodeManager that asks the standby first tries the other after half a minute.
    settings.set(site, "yarn.client.failover-sleep-base-ms", "500");
    settings.set(site, "yarn.client.failover-sleep-max-ms", "2000");
    settings.set(site, "yarn.resourcemanager.recovery.enabled", "true");
    settings.set(
        site,
        "yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore");
    settings.set(
        site,
        "yarn.resourcemanager.fs.state-store.uri",
        "file://" + directory.shared() + "/resourcemanager");
  }

  /** What MapReduce's tasks load beside YARN's class path. */
  static String taskClassPath(ClusterDirectory directory, HadoopHome hadoop) {
    return hadoop.root() + "/share/hadoop/mapreduce/*," + directory.jars(Role.TASKS) + "/*";
  }

  /** How HDFS calls the NameNode on a master. */
  static String nameNode(Host master) {
    return "nn" + master.name().substring(1);
  }

  /** How YARN calls the ResourceManager on a master. */
  static String resourceManager(Host master) {
    return "rm" + master.name().substring(1);
  }
}
