package io.orchestra.hadoop.testbed.cli;

import picocli.CommandLine.Command;

/** {@code orchestra cluster}: everything about emulated clusters. */
@Command(
    name = "cluster",
    description = "Starts, uses, breaks and stops emulated clusters.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UpCommand.class,
      StatusCommand.class,
      HadoopCommand.class,
      ExecCommand.class,
      FaultCommand.class,
      LogsCommand.class,
      DownCommand.class
    })
final class ClusterCommand {}
