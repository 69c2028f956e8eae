package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.cluster.HadoopHomes;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs that measure a scheduler of 1000 nodes with four slots. Each is a process of its
 * own, without hosts and daemons.
 */
final class SchedulerProgram {
  private static final String PACKAGE = "io.orchestra.hadoop.prefetch.resourcemanager.";
  private static final int HEAP_MEGABYTES = 1024;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final String classPath;

  private SchedulerProgram(String classPath) {
    this.classPath = classPath;
  }

  /** On the class path of a ResourceManager with our scheduler. */
  static SchedulerProgram of(BenchRun run) {
    HadoopHome hadoop =
        new HadoopHomes(run.home(), run.progress()).ofVersion(run.options().hadoopVersion());
    Project project = run.project();
    List<String> entries = new ArrayList<>(hadoop.classPath());
    project.jars(Plugin.PREFETCH).stream().map(Path::toString).forEach(entries::add);
    entries.add(project.schedulerPrograms().toString());
    return new SchedulerProgram(String.join(":", entries));
  }

  /** What the program prints. */
  String output(String mainClass, List<String> arguments) {
    return Command.of(
            ImmutableList.<String>builder()
                .add(Jvm.program(), "-Xmx" + HEAP_MEGABYTES + "m")
                // Hadoop has a file of the usual name, for its tests: it logs to standard output.
                .add("-Dlog4j.configuration=scheduler-log4j.properties")
                .add("-cp", classPath, PACKAGE + mainClass)
                .addAll(arguments)
                .build())
        .named("%s %s".formatted(mainClass, String.join(" ", arguments)))
        .within(LONGEST)
        .output();
  }
}
