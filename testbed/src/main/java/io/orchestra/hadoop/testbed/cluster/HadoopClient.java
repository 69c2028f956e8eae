package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs programs on a host of a cluster as one of its users: Hadoop's clients, or anything. */
public final class HadoopClient {
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

  /** Runs a Hadoop program on this process's terminal and returns its exit status. */
  public int run(List<String> words) {
    return start(hadoop(words), new ProcessBuilder().inheritIO());
  }

  /** Runs a Hadoop program with all output added to a file; fails with its end. */
  public void run(List<String> words, Path log) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(new File("/dev/null"));
    int status = start(hadoop(words), builder);
    if (status != 0) {
      throw new TestbedException(
          String.join(" ", words) + " failed with status " + status + "; see " + log);
    }
  }

  /** Runs any program on this process's terminal and returns its exit status. */
  public int runProgram(List<String> words) {
    return start(words, new ProcessBuilder().inheritIO());
  }

  private List<String> hadoop(List<String> words) {
    ClientProgram program = ClientProgram.parse(words, cluster.state().hadoop());
    return programs().client(program);
  }

  private int start(List<String> words, ProcessBuilder builder) {
    HostShell shell = cluster.shell(host);
    Map<String, String> environment = new HashMap<>(shell.environment(user));
    environment.putAll(programs().environment());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.command(shell.words(user, workingDirectory(), words));
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      throw new TestbedException("cannot run " + words.get(0) + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", e);
    }
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

  private HadoopPrograms programs() {
    return new HadoopPrograms(cluster.directory(), cluster.state().hadoop());
  }
}
