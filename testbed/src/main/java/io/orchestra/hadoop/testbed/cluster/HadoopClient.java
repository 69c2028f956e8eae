package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Programs on a host of a cluster, as one of its users: Hadoop's clients, ours, or anything.
 *
 * <p>They find what Hadoop's own scripts would set in their environment, and nothing of this
 * process's. Those that this process waits for are killed when it is interrupted.
 */
public final class HadoopClient {
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final Cluster cluster;
  private final Host host;
  private final Optional<Account> user;

  /**
   * @param user who runs the programs; root if empty
   */
  public HadoopClient(Cluster cluster, Host host, Optional<Account> user) {
    this.cluster = cluster;
    this.host = host;
    this.user = user;
  }

  /** Programs on the first master. */
  public static HadoopClient onFirstMaster(Cluster cluster, Account user) {
    return new HadoopClient(cluster, cluster.plan().firstMaster(), Optional.of(user));
  }

  /** Runs a Hadoop program on this process's terminal and returns its exit status. */
  public int run(List<String> words) {
    return hadoop(words).runOnTerminal();
  }

  /** Runs a Hadoop program with all output added to a file; fails with its end. */
  public void run(List<String> words, Path log) {
    Command command = hadoop(words);
    int status = command.run(log);
    if (status != 0) {
      throw new TestbedException(command.name() + " failed with status " + status + "; see " + log);
    }
  }

  /** Runs any program on this process's terminal and returns its exit status. */
  public int runProgram(List<String> words) {
    return program(words).runOnTerminal();
  }

  /** A Hadoop program, such as {@code hdfs dfs -ls /}, to be run with a limit of 15 minutes. */
  public Command hadoop(List<String> words) {
    ClientProgram program = ClientProgram.parse(words, cluster.state().hadoop());
    return program(cluster.programs().client(program)).named(named(words));
  }

  /** Any program, to be run with a limit of 15 minutes. */
  private Command program(List<String> words) {
    HostShell shell = cluster.shell(host);
    return Command.of(shell.words(user, workingDirectory(), words))
        .named(named(words))
        .withOnly(
            ImmutableMap.<String, String>builder()
                .putAll(shell.environment(user))
                .putAll(cluster.programs().environment())
                .putAll(login())
                .buildKeepingLast())
        .within(LONGEST);
  }

  /**
   * Starts a class of this command's jars, to talk with it line by line.
   *
   * <p>Its class path is that of Hadoop's clients on this cluster, then our jars and their
   * libraries: where both have a library, Hadoop's wins.
   *
   * @param name what it is, for messages; its standard error goes to {@code NAME.log} beside the
   *     logs of the host's daemons
   */
  public HostProgram start(
      String name, Class<?> mainClass, int heapMegabytes, List<String> arguments) {
    return start(name, cluster.programs().ours(mainClass.getName(), heapMegabytes, arguments));
  }

  /**
   * Starts any program, to talk with it line by line; its standard error goes to a log as above.
   */
  public HostProgram start(String name, List<String> words) {
    Path log = cluster.directory().logs(host.name()).resolve(name + ".log");
    return HostProgram.start(program(words).named(name + " on " + host.name()), log);
  }

  /**
   * A class of this command's jars, with a class path as above, to be run with a limit of 15
   * minutes.
   */
  public Command ours(Class<?> mainClass, int heapMegabytes, List<String> arguments) {
    return program(cluster.programs().ours(mainClass.getName(), heapMegabytes, arguments))
        .named(mainClass.getSimpleName() + " on " + host.name());
  }

  /** With Kerberos a user's programs find his keytab; root has none. */
  private Map<String, String> login() {
    return cluster.kerberos().flatMap(kerberos -> user.map(kerberos::login)).orElse(Map.of());
  }

  private String named(List<String> words) {
    return String.join(" ", words) + " on " + host.name();
  }

  /** The caller's directory, if the hosts can see it. */
  private static Optional<Path> workingDirectory() {
    Path current = Path.of("").toAbsolutePath();
    try {
      TestbedHome.requireVisible(current, "");
      return Optional.of(current);
    } catch (TestbedException e) {
      return Optional.empty();
    }
  }
}
