package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orchestra cluster exec}. */
@Command(
    name = "exec",
    description = "Runs any program on a host. Its exit status is the program's.",
    mixinStandardHelpOptions = true)
final class ExecCommand implements Callable<Integer> {
  @Mixin private ClusterName cluster;

  @Option(
      names = "--user",
      defaultValue = "root",
      description =
          "User who runs it: alice, bob, hdfs, yarn, mapred or root (default: ${DEFAULT-VALUE}).")
  private HostUser user;

  @Parameters(
      index = "0",
      paramLabel = "HOST",
      description = "Host on which it runs, such as r1h1 or m1.")
  private String host;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "-- PROGRAM",
      description = "The program and its arguments, after two hyphens.")
  private List<String> words;

  @Override
  public Integer call() {
    Cluster up = cluster.cluster();
    return new HadoopClient(up, up.host(host), user.account()).runProgram(words);
  }
}
