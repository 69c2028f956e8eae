package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.ClusterDirectory;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orchestra cluster logs}. */
@Command(
    name = "logs",
    description =
        "Lists a cluster's logs, or prints the log of one daemon. Works after a failed start, too.",
    mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
  @Spec private CommandSpec command;
  @Mixin private ClusterName cluster;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "HOST",
      description = "Host of the daemon, such as r1h1. Without it, all logs are listed.")
  private String host;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DAEMON",
      description = "Daemon whose log is printed, such as datanode.")
  private Daemon daemon;

  @Option(
      names = "-f",
      description = "Print the last lines, and then new ones as they come, until Ctrl-C.")
  private boolean follow;

  @Override
  public Integer call() throws IOException {
    ClusterDirectory directory = cluster.home().cluster(cluster.name());
    if (!Files.isDirectory(directory.root())) {
      throw new TestbedException("there is nothing of a cluster '" + cluster.name() + "'");
    }
    if (host == null) {
      list(directory.root());
      return ExitStatus.SUCCESS;
    }
    if (daemon == null) {
      throw new ParameterException(command.commandLine(), "which daemon on " + host + "?");
    }
    Path log = directory.log(host, daemon);
    if (!Files.exists(log)) {
      throw new TestbedException(
          "there is no log of a " + daemon.daemonName() + " on " + host + ": " + log);
    }
    return print(log);
  }

  private static void list(Path root) throws IOException {
    Path hosts = root.resolve("hosts");
    if (!Files.isDirectory(hosts)) {
      throw new TestbedException("there are no logs yet in " + root);
    }
    try (Stream<Path> files = Files.walk(hosts, 3)) {
      List<Path> logs =
          files
              .filter(file -> file.getParent().endsWith("logs"))
              .filter(file -> file.toString().endsWith(".log"))
              .sorted()
              .toList();
      for (Path log : logs) {
        System.out.printf("%10d %s%n", Files.size(log), log);
      }
    }
  }

  private int print(Path log) throws IOException {
    if (!follow) {
      Files.copy(log, System.out);
      System.out.flush();
      return ExitStatus.SUCCESS;
    }
    return io.orchestra.hadoop.testbed.process.Command.of("tail", "-n", "20", "-F", log.toString())
        .runOnTerminal();
  }
}
