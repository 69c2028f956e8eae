package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Prerequisites;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.demo.Demo;
import io.orchestra.hadoop.testbed.demo.DemoSize;
import io.orchestra.hadoop.testbed.hadoop.Project;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orchestra demo}. */
@Command(
    name = "demo",
    description = {
      "Runs WordCount, TeraGen, TeraSort and TeraValidate twice, on stock Hadoop and with plugins,",
      "compares all outputs byte for byte, and shows what the plugins decided.",
      "On machines that cannot emulate hosts, everything runs in one process."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "Use less data.")
  private boolean quick;

  @Option(
      names = "--mini",
      description = "Run everything in one process, even where hosts can be emulated.")
  private boolean mini;

  @Mixin private HadoopVersion hadoop;

  @Override
  public Integer call() {
    Progress progress = Progress.onStandardError();
    List<String> problems = mini ? List.of() : Prerequisites.problems();
    if (!problems.isEmpty()) {
      progress.say("no emulated hosts, all in one process: " + String.join("; ", problems));
    }
    boolean inProcess = mini || !problems.isEmpty();
    TestbedHome home =
        inProcess ? TestbedHome.fromEnvironmentOrOwn() : TestbedHome.fromEnvironment();
    Demo demo =
        new Demo(
            home,
            Project.ofThisCommand(),
            progress,
            quick ? DemoSize.QUICK : DemoSize.FULL,
            inProcess);
    return demo.runAndPrint(hadoop.version()) ? ExitStatus.SUCCESS : ExitStatus.FAILURE;
  }
}
