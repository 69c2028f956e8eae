package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orchestra cluster hadoop}. */
@Command(
    name = "hadoop",
    description = {
      "Runs a stock Hadoop client on a host of the cluster. Its exit status is the client's.",
      "Options of this command come before the program; the rest is passed to it."
    },
    mixinStandardHelpOptions = true)
final class HadoopCommand implements Callable<Integer> {
  @Mixin private ClusterName cluster;

  @Option(
      names = "--user",
      defaultValue = "alice",
      description =
          "User who runs it: alice, bob, hdfs, yarn, mapred or root (default: ${DEFAULT-VALUE}).")
  private HostUser user;

  @Option(
      names = "--host",
      defaultValue = "m1",
      description = "Host on which it runs (default: ${DEFAULT-VALUE}).")
  private String host;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = {
        "hdfs dfs|dfsadmin|fsck|haadmin|...,",
        "yarn application|node|rmadmin|..., mapred job|..., gridmix, rumentrace,",
        "jar FILE [CLASS] ARGUMENT... ('examples' stands for the stock examples jar),",
        "or the name of a class."
      })
  private List<String> words;

  @Override
  public Integer call() {
    Cluster up = cluster.cluster();
    return new HadoopClient(up, up.host(host), user.account()).run(words);
  }
}
