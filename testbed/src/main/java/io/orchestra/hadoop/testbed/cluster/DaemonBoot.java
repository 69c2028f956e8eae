package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.Lists;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Starts the daemons of a new cluster, all that can be at once, and waits for them. */
final class DaemonBoot {
  private static final int LONGEST_SECONDS = 300;

  private final Cluster cluster;
  private final Progress progress;
  private final HostDaemons daemons;
  private final Health health;
  private final List<Daemon> started = new ArrayList<>();

  DaemonBoot(Cluster cluster, Progress progress) {
    this.cluster = cluster;
    this.progress = progress;
    this.daemons = cluster.daemons();
    this.health = new Health(cluster);
  }

  void start() {
    boolean yarn = cluster.spec().yarn();
    Host first = cluster.plan().firstMaster();
    if (cluster.spec().kerberos()) {
      progress.say("starting the KDC and making keytabs");
      new KeyDistribution(cluster).start();
    }
    progress.say("formatting HDFS");
    daemons.runToEnd(first, Daemon.NAMENODE, List.of("-format", "-force", "-nonInteractive"));
    cluster.plan().masters().stream().skip(1).forEach(standby -> copyName(first, standby));

    int workers = cluster.plan().workers().size();
    progress.say(
        "starting Hadoop %s: NameNode%s, %d DataNodes%s"
            .formatted(
                cluster.state().hadoopVersion(),
                yarn ? ", ResourceManager" : "",
                workers,
                yarn ? ", " + workers + " NodeManagers" : ""));
    start(Daemon.NAMENODE);
    start(Daemon.DATANODE);
    if (yarn) {
      start(Daemon.RESOURCEMANAGER);
      start(Daemon.NODEMANAGER);
    }
    activate();
    HdfsDirectories.make(cluster.web(), cluster.webAddress(first, Daemon.NAMENODE));
    progress.say("the NameNode serves");
    if (yarn) {
      start(Daemon.HISTORYSERVER);
    }
    awaitWorkers();
  }

  /**
   * Kills all daemons but the JobHistoryServer and starts them again, on what they have stored and
   * with the configuration that is there now; returns once all are at work.
   */
  void restart() {
    List<Daemon> all =
        cluster.spec().yarn()
            ? List.of(Daemon.NAMENODE, Daemon.DATANODE, Daemon.RESOURCEMANAGER, Daemon.NODEMANAGER)
            : List.of(Daemon.NAMENODE, Daemon.DATANODE);
    // Those that others report to end last: nobody is declared dead meanwhile.
    Lists.reverse(all).forEach(this::kill);
    all.forEach(this::start);
    activate();
    awaitWorkers();
  }

  private void kill(Daemon daemon) {
    for (Host host : cluster.plan().hosts()) {
      if (cluster.spec().daemons(host).contains(daemon) && daemons.find(host, daemon).isPresent()) {
        daemons.kill(host, daemon);
      }
    }
  }

  private void start(Daemon daemon) {
    for (Host host : cluster.plan().hosts()) {
      if (cluster.spec().daemons(host).contains(daemon)) {
        daemons.start(host, daemon);
      }
    }
    started.add(daemon);
  }

  private void activate() {
    Host first = cluster.plan().firstMaster();
    if (cluster.spec().highlyAvailable()) {
      for (Host master : cluster.plan().masters()) {
        await(
            "the NameNode on " + master.name(),
            () -> health.nameNode(master).equals(Optional.of("standby")));
        if (cluster.spec().yarn()) {
          await(
              "the ResourceManager on " + master.name(),
              () -> health.resourceManager(master).equals(Optional.of("STANDBY")));
        }
      }
      progress.say("making the masters on " + first.name() + " the active ones");
      Failover failover = new Failover(cluster, progress);
      failover.activateNameNode(first);
      if (cluster.spec().yarn()) {
        failover.activateResourceManager(first);
      }
    }
    await("the NameNode", health::outOfSafeMode);
  }

  private void awaitWorkers() {
    Host first = cluster.plan().firstMaster();
    int workers = cluster.plan().workers().size();
    await(workers + " DataNodes", () -> health.liveDataNodes() == workers);
    progress.say(workers + " DataNodes are live");
    if (cluster.spec().yarn()) {
      await(workers + " NodeManagers", () -> health.activeNodeManagers() == workers);
      progress.say(workers + " NodeManagers are active");
      await("the JobHistoryServer", () -> health.serves(first, Daemon.HISTORYSERVER));
    }
  }

  private void await(String what, BooleanSupplier condition) {
    Waiting.until(
        () -> {
          daemons.requireAll(cluster.plan().hosts(), started);
          return condition.getAsBoolean();
        },
        what,
        LONGEST_SECONDS);
  }

  /** A standby begins as a copy of a formatted NameNode, which saves its own bootstrap. */
  private void copyName(Host from, Host to) {
    Path source = cluster.directory().host(from.name()).resolve("name");
    Path target = cluster.directory().host(to.name()).resolve("name");
    FileTree.delete(target);
    Command.of("cp", "--archive", source.toString(), target.toString()).output();
  }
}
