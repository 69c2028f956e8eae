package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Faults;
import io.orchestra.hadoop.testbed.cluster.Prerequisites;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Rate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code orchestra cluster fault}. */
@Command(
    name = "fault",
    description = "Breaks and mends daemons and links.",
    mixinStandardHelpOptions = true)
final class FaultCommand {

  @Command(
      name = "kill",
      description = "Kills a daemon as a crash would.",
      mixinStandardHelpOptions = true)
  int kill(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST") String host,
      @Parameters(paramLabel = "DAEMON") Daemon daemon) {
    faults(cluster).kill(host, daemon);
    return done("killed the " + daemon.daemonName() + " on " + host);
  }

  @Command(
      name = "restart",
      description = "Starts a daemon, after killing it if it runs.",
      mixinStandardHelpOptions = true)
  int restart(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST") String host,
      @Parameters(paramLabel = "DAEMON") Daemon daemon) {
    Progress.onStandardError().say("restarting the " + daemon.daemonName() + " on " + host);
    faults(cluster).restart(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " answers");
  }

  @Command(
      name = "pause",
      description = "Makes a daemon stand still.",
      mixinStandardHelpOptions = true)
  int pause(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST") String host,
      @Parameters(paramLabel = "DAEMON") Daemon daemon) {
    faults(cluster).pause(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " stands still");
  }

  @Command(
      name = "resume",
      description = "Lets a daemon that stands still go on.",
      mixinStandardHelpOptions = true)
  int resume(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST") String host,
      @Parameters(paramLabel = "DAEMON") Daemon daemon) {
    faults(cluster).resume(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " goes on");
  }

  @Command(
      name = "cut",
      description = "Stops all traffic on the link of a host or rack.",
      mixinStandardHelpOptions = true)
  int cut(@Mixin ClusterName cluster, @Parameters(paramLabel = "LINK") String link) {
    faults(cluster).cut(link);
    return done("cut the link of " + link);
  }

  @Command(
      name = "heal",
      description = "Lets traffic flow again on a link that was cut.",
      mixinStandardHelpOptions = true)
  int heal(@Mixin ClusterName cluster, @Parameters(paramLabel = "LINK") String link) {
    faults(cluster).heal(link);
    return done("healed the link of " + link);
  }

  @Command(
      name = "rate",
      description = "Changes the rate of the link of a host or rack, both ways.",
      mixinStandardHelpOptions = true)
  int rate(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "LINK") String link,
      @Parameters(paramLabel = "RATE") Rate rate) {
    faults(cluster).rate(link, rate);
    return done("the link of " + link + " has " + rate);
  }

  @Command(
      name = "failover",
      description = "Makes the standby NameNode and ResourceManager the active ones.",
      mixinStandardHelpOptions = true)
  int failover(@Mixin ClusterName cluster) {
    faults(cluster).failover(Progress.onStandardError());
    return done("the other master is active");
  }

  private static Faults faults(ClusterName cluster) {
    Prerequisites.requireRoot();
    return new Faults(cluster.home(), cluster.name());
  }

  private static int done(String what) {
    System.out.println(what);
    return ExitStatus.SUCCESS;
  }
}
