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
    description = "Breaks daemons and links, and repairs them.",
    mixinStandardHelpOptions = true)
final class FaultCommand {
  private static final String HOST = "Host of the daemon, such as r1h1.";
  private static final String DAEMON = "The daemon, such as datanode.";
  private static final String LINK = "Whose link: a host, such as r1h1, or a rack, such as rack2.";
  private static final String RATE = "As tc writes it, such as 50mbit, or unlimited.";

  @Command(
      name = "kill",
      description = "Kills a daemon, as a crash would.",
      mixinStandardHelpOptions = true)
  int kill(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST", description = HOST) String host,
      @Parameters(paramLabel = "DAEMON", description = DAEMON) Daemon daemon) {
    faults(cluster).kill(host, daemon);
    return done("killed the " + daemon.daemonName() + " on " + host);
  }

  @Command(
      name = "restart",
      description = "Starts a daemon, after killing it if it runs, and returns when it answers.",
      mixinStandardHelpOptions = true)
  int restart(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST", description = HOST) String host,
      @Parameters(paramLabel = "DAEMON", description = DAEMON) Daemon daemon) {
    Progress.onStandardError().say("restarting the " + daemon.daemonName() + " on " + host);
    faults(cluster).restart(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " answers");
  }

  @Command(
      name = "pause",
      description = "Freezes a daemon, which keeps its connections.",
      mixinStandardHelpOptions = true)
  int pause(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST", description = HOST) String host,
      @Parameters(paramLabel = "DAEMON", description = DAEMON) Daemon daemon) {
    faults(cluster).pause(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " stands still");
  }

  @Command(
      name = "resume",
      description = "Lets a paused daemon go on.",
      mixinStandardHelpOptions = true)
  int resume(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "HOST", description = HOST) String host,
      @Parameters(paramLabel = "DAEMON", description = DAEMON) Daemon daemon) {
    faults(cluster).resume(host, daemon);
    return done("the " + daemon.daemonName() + " on " + host + " goes on");
  }

  @Command(
      name = "cut",
      description = "Cuts the link of a host or rack: all packets vanish.",
      mixinStandardHelpOptions = true)
  int cut(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "LINK", description = LINK) String link) {
    faults(cluster).cut(link);
    return done("cut the link of " + link);
  }

  @Command(
      name = "heal",
      description = "Restores a link that was cut.",
      mixinStandardHelpOptions = true)
  int heal(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "LINK", description = LINK) String link) {
    faults(cluster).heal(link);
    return done("healed the link of " + link);
  }

  @Command(
      name = "rate",
      description = "Changes the rate of the link of a host or rack, in both directions.",
      mixinStandardHelpOptions = true)
  int rate(
      @Mixin ClusterName cluster,
      @Parameters(paramLabel = "LINK", description = LINK) String link,
      @Parameters(paramLabel = "RATE", description = RATE) Rate rate) {
    faults(cluster).rate(link, rate);
    return done("the link of " + link + " has " + rate);
  }

  @Command(
      name = "failover",
      description = "Makes the standby NameNode and ResourceManager active.",
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
