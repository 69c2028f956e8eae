package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
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
  private static final int LONGEST_SECONDS = 60;

  private final Cluster cluster;
  private final Progress progress;
  private final Health health;

  public Failover(Cluster cluster, Progress progress) {
    this.cluster = cluster;
    this.progress = progress;
    this.health = new Health(cluster);
  }

  /**
   * Makes the masters that are not active now the active ones, also if the active ones are dead.
   */
  public void toTheOtherMaster() {
    if (!cluster.spec().highlyAvailable()) {
      throw new TestbedException(
          "cluster '" + cluster.spec().name() + "' has one NameNode: start it with --ha");
    }
    moveNameNode();
    if (cluster.spec().yarn()) {
      moveResourceManager();
    }
  }

  void activateNameNode(Host master) {
    hdfsAdmin("-transitionToActive", BaseSettings.nameNode(master));
    Waiting.until(
        () -> health.nameNode(master).equals(Optional.of("active")),
        "the NameNode on " + master.name() + " to become active",
        LONGEST_SECONDS);
  }

  void activateResourceManager(Host master, String... options) {
    yarnAdmin(
        ImmutableList.<String>builder()
            .add("-transitionToActive")
            .add(options)
            .add(BaseSettings.resourceManager(master))
            .build()
            .toArray(String[]::new));
    Waiting.until(
        () -> health.resourceManager(master).equals(Optional.of("ACTIVE")),
        "the ResourceManager on " + master.name() + " to become active",
        LONGEST_SECONDS);
  }

  private void moveNameNode() {
    Optional<Host> active = health.activeNameNode();
    Host target = target(active, master -> health.nameNode(master).isPresent());
    progress.say("the NameNode on " + target.name() + " becomes active");
    if (active.isPresent()) {
      hdfsAdmin("-failover", BaseSettings.nameNode(active.get()), BaseSettings.nameNode(target));
    } else {
      hdfsAdmin("-transitionToActive", "--forceactive", BaseSettings.nameNode(target));
    }
  }

  private void moveResourceManager() {
    Optional<Host> active = health.activeResourceManager();
    Host target = target(active, master -> health.resourceManager(master).isPresent());
    progress.say("the ResourceManager on " + target.name() + " becomes active");
    if (active.isPresent()) {
      yarnAdmin("-transitionToStandby", BaseSettings.resourceManager(active.get()));
      activateResourceManager(target);
    } else {
      activateResourceManager(target, "--forceactive");
    }
  }

  private Host target(Optional<Host> active, Predicate<Host> alive) {
    return cluster.plan().masters().stream()
        .filter(master -> !active.equals(Optional.of(master)))
        .filter(alive)
        .findFirst()
        .orElseThrow(() -> new TestbedException("no standby is alive: restart one first"));
  }

  private void hdfsAdmin(String... words) {
    run(Account.HDFS, "hdfs", "haadmin", words);
  }

  private void yarnAdmin(String... words) {
    run(Account.YARN, "yarn", "rmadmin", words);
  }

  /** From a master whose daemon may be dead: the host itself always lives. */
  private void run(Account user, String program, String subcommand, String... words) {
    Host host = cluster.plan().masters().get(0);
    Path log = cluster.directory().logs(host.name()).resolve("failover.log");
    List<String> all = new ArrayList<>(List.of(program, subcommand));
    all.addAll(List.of(words));
    new HadoopClient(cluster, host, Optional.of(user)).run(all, log);
  }
}
