package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.gridmix.TraceRecording;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Project;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orchestra trace record}. */
@Command(
    name = "record",
    description = {
      "Runs a mix of jobs on a stock emulated cluster, and lets Hadoop's Rumen make a trace of the"
          + " job history.",
      "It takes about seven minutes."
    },
    mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "File for the trace; an existing file is replaced.")
  private Path out;

  @Mixin private HadoopVersion hadoop;

  @Spec private CommandSpec command;

  @Override
  public Integer call() {
    Path target = out.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new ParameterException(
          command.commandLine(), "--out: %s is a directory: name a file".formatted(target));
    }
    FileTree.directory(target.getParent());
    FileTree.write(
        target,
        TraceRecording.record(
                TestbedHome.fromEnvironment(),
                Project.ofThisCommand(),
                Progress.onStandardError(),
                hadoop.version())
            .text());
    return ExitStatus.SUCCESS;
  }
}
