package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.LogTail;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Starts, finds and kills the daemons on the hosts of a cluster. */
public final class HostDaemons {
  private static final Duration LONGEST_CHORE = Duration.ofMinutes(5);

  /** For a process to become another program, on a busy machine. */
  private static final Duration LONGEST_EXEC = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration STOPPING = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final ProcessTable table;

  HostDaemons(Cluster cluster, ProcessTable table) {
    this.cluster = cluster;
    this.table = table;
  }

  /** Starts a daemon and leaves it running; its output is added to its log. */
  public void start(Host host, Daemon daemon) {
    run(
        host,
        daemon,
        cluster
            .shell(host)
            .background(Optional.of(daemon.user()), cluster.programs().daemon(daemon, List.of())));
  }

  /** Runs a daemon's program to its end, for chores such as formatting. */
  public void runToEnd(Host host, Daemon daemon, List<String> arguments) {
    HostShell shell = cluster.shell(host);
    run(
        host,
        daemon,
        shell.words(Optional.of(daemon.user()), cluster.programs().daemon(daemon, arguments)));
  }

  private void run(Host host, Daemon daemon, List<String> words) {
    HostShell shell = cluster.shell(host);
    int status =
        Command.of(words)
            .named("the " + daemon.daemonName() + " on " + host.name())
            .withOnly(shell.environment(Optional.of(daemon.user())))
            .adding(cluster.programs().environment())
            .within(LONGEST_CHORE)
            .run(cluster.directory().log(host.name(), daemon));
    if (status != 0) {
      throw new TestbedException(
          daemon.daemonName() + " on " + host.name() + " failed:\n" + lastLines(host, daemon));
    }
  }

  /** The process of a daemon, if it runs. */
  public Optional<ProcessIdentity> find(Host host, Daemon daemon) {
    return find(table.all(), host, daemon);
  }

  /** As {@link #find(Host, Daemon)}, in a table read before. */
  public Optional<ProcessIdentity> find(List<RunningProcess> processes, Host host, Daemon daemon) {
    ProcessIdentity init = cluster.init(host.name());
    Optional<String> namespace =
        processes.stream()
            .filter(process -> process.identity().equals(init))
            .map(RunningProcess::pidNamespace)
            .findFirst();
    return processes.stream()
        .filter(process -> namespace.equals(Optional.of(process.pidNamespace())))
        .filter(process -> process.words().contains(daemon.marker()))
        .map(RunningProcess::identity)
        .findFirst();
  }

  /**
   * Fails with the end of its log if one of these daemons should run on one of these hosts and does
   * not.
   */
  public void requireAll(List<Host> hosts, List<Daemon> daemons) {
    // A process that just becomes another program, as one does while it is started, has no command
    // line for a moment: who has ended is missing in the next look, too.
    if (!Waiting.within(
        LONGEST_EXEC, PAUSE, () -> missing(hosts, daemons).isEmpty(), "the daemons")) {
      missing(hosts, daemons)
          .ifPresent(
              ended -> {
                throw ended;
              });
    }
  }

  /** The first of these daemons that does not run, as the failure that this is. */
  private Optional<TestbedException> missing(List<Host> hosts, List<Daemon> daemons) {
    List<RunningProcess> processes = table.all();
    return hosts.stream()
        .flatMap(
            host ->
                cluster.spec().daemons(host).stream()
                    .filter(daemons::contains)
                    .filter(daemon -> find(processes, host, daemon).isEmpty())
                    .map(
                        daemon ->
                            new TestbedException(
                                "the %s on %s ended:\n%s"
                                    .formatted(
                                        daemon.daemonName(),
                                        host.name(),
                                        lastLines(host, daemon)))))
        .findFirst();
  }

  /** Sends SIGKILL; fails if the daemon does not run. */
  public void kill(Host host, Daemon daemon) {
    kill(running(host, daemon));
  }

  private void kill(ProcessIdentity process) {
    table.kill(process);
    Waiting.until(() -> !table.isAlive(process), "the end of the killed process", 60);
  }

  /**
   * Ends a daemon as Hadoop's scripts do: with SIGTERM, and with SIGKILL if it runs five seconds
   * later. Fails if it does not run.
   */
  public void stop(Host host, Daemon daemon) {
    ProcessIdentity process = running(host, daemon);
    table.terminate(process);
    if (!Waiting.within(
        STOPPING, PAUSE, () -> !table.isAlive(process), "the end of the " + daemon.daemonName())) {
      kill(process);
    }
  }

  /** Sends SIGSTOP; fails if the daemon does not run. */
  public void pause(Host host, Daemon daemon) {
    table.pause(running(host, daemon));
  }

  /** Sends SIGCONT; fails if the daemon does not run. */
  public void resume(Host host, Daemon daemon) {
    table.resume(running(host, daemon));
  }

  private ProcessIdentity running(Host host, Daemon daemon) {
    return find(host, daemon)
        .orElseThrow(
            () ->
                new TestbedException(
                    "there is no " + daemon.daemonName() + " running on " + host.name()));
  }

  /** The end of a daemon's log. */
  private String lastLines(Host host, Daemon daemon) {
    return LogTail.of(cluster.directory().log(host.name(), daemon));
  }
}
