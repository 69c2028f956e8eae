package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Moves the active NameNode and ResourceManager of a highly available cluster to the other master.
 */
public final class Failover {
  private static final int LONGEST_SECONDS = 300;

  private final Cluster cluster;
  private final Progress progress;
  private final Health health;

  public Failover(Cluster cluster, Progress progress) {
    this.cluster = cluster;
    this.progress = progress;
    this.health = new Health(cluster);
  }

  /**
   * Makes the masters that are not active now the active ones, also if the active ones are dead or
   * behind a cut link. A daemon that the other master cannot reach is killed first.
   */
  public void toTheOtherMaster() {
    nameNodeToTheOtherMaster();
    if (cluster.spec().yarn()) {
      moveResourceManager();
    }
  }

  /** The same of the NameNode alone: the active ResourceManager stays where it is. */
  void nameNodeToTheOtherMaster() {
    if (!cluster.spec().highlyAvailable()) {
      throw new TestbedException(
          "cluster '" + cluster.spec().name() + "' has one NameNode: start it with --ha");
    }
    moveNameNode();
  }

  void activateNameNode(Host master) {
    hdfsAdmin(master, "-transitionToActive", BaseSettings.nameNode(master));
    awaitNameNode(master);
  }

  void activateResourceManager(Host master) {
    yarnAdmin(master, "-transitionToActive", BaseSettings.resourceManager(master));
    awaitResourceManager(master);
  }

  private void moveNameNode() {
    Optional<Host> active = health.activeNameNode();
    Host target = target(active, master -> health.nameNode(master).isPresent());
    progress.say("the NameNode on " + target.name() + " becomes active");
    if (active.isPresent() && !fenced(active.get(), target, Daemon.NAMENODE)) {
      hdfsAdmin(
          target, "-failover", BaseSettings.nameNode(active.get()), BaseSettings.nameNode(target));
    } else {
      hdfsAdmin(target, "-transitionToActive", "--forceactive", BaseSettings.nameNode(target));
    }
    awaitNameNode(target);
  }

  private void moveResourceManager() {
    Optional<Host> active = health.activeResourceManager();
    Host target = target(active, master -> health.resourceManager(master).isPresent());
    progress.say("the ResourceManager on " + target.name() + " becomes active");
    if (active.isPresent() && !fenced(active.get(), target, Daemon.RESOURCEMANAGER)) {
      yarnAdmin(target, "-transitionToStandby", BaseSettings.resourceManager(active.get()));
    }
    yarnAdmin(target, "-transitionToActive", "--forceactive", BaseSettings.resourceManager(target));
    awaitResourceManager(target);
  }

  private Host target(Optional<Host> active, Predicate<Host> alive) {
    return cluster.plan().masters().stream()
        .filter(master -> !active.equals(Optional.of(master)))
        .filter(alive)
        .findFirst()
        .orElseThrow(() -> new TestbedException("no standby is alive: restart one first"));
  }

  /**
   * Kills the active daemon if the other master cannot reach it, as fencing by power switch does:
   * behind a cut link it would go on as if nothing had happened. Returns whether it did.
   */
  private boolean fenced(Host active, Host target, Daemon daemon) {
    if (cluster.web(target).answers(cluster.webAddress(active, daemon) + "/jmx")) {
      return false;
    }
    progress.say(
        "%s does not reach the %s on %s: killing it"
            .formatted(target.name(), daemon.daemonName(), active.name()));
    cluster.daemons().kill(active, daemon);
    return true;
  }

  private void awaitNameNode(Host master) {
    Waiting.until(
        () -> health.nameNode(master).equals(Optional.of("active")),
        "the NameNode on " + master.name() + " to become active",
        LONGEST_SECONDS);
  }

  private void awaitResourceManager(Host master) {
    Waiting.until(
        () -> health.resourceManager(master).equals(Optional.of("ACTIVE")),
        "the ResourceManager on " + master.name() + " to become active",
        LONGEST_SECONDS);
  }

  private void hdfsAdmin(Host target, String... words) {
    run(target, Account.HDFS, "hdfs", "haadmin", words);
  }

  private void yarnAdmin(Host target, String... words) {
    run(target, Account.YARN, "yarn", "rmadmin", words);
  }

  /** On the master that is to become active: it can reach its own daemon whatever link is cut. */
  private void run(Host target, Account user, String program, String subcommand, String... words) {
    Path log = cluster.directory().logs(target.name()).resolve("failover.log");
    List<String> all = new ArrayList<>(List.of(program, subcommand));
    all.addAll(List.of(words));
    new HadoopClient(cluster, target, Optional.of(user)).run(all, log);
  }
}
