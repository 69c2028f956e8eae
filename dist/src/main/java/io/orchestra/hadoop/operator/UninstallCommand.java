package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Uninstaller;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orchestra uninstall}. */
@Command(
    name = "uninstall",
    description =
        "Removes exactly what install has made. Refuses while the configuration names Orchestra's"
            + " classes.",
    mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOption home;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "The directory with hdfs-site.xml and the other site files. Default: $HADOOP_CONF_DIR;"
              + " without that, the home's etc/hadoop, or its conf if that has hadoop-env.sh")
  private Path configuration;

  @Option(
      names = "--force",
      description =
          "Remove Orchestra even if the configuration names its classes, or cannot be checked.")
  private boolean force;

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  @Override
  public Integer call() {
    HadoopHome hadoop = home.openToRemove();
    Uninstaller uninstaller = new Uninstaller(hadoop);
    PrintWriter out = spec.commandLine().getOut();
    if (!force) {
      Path looked = HomeOption.configuration(hadoop, configuration);
      uninstaller.requireUnused(looked);
      out.println("Nothing in " + looked + " names a class of Orchestra.");
    }
    List<String> changes = uninstaller.uninstall(dryRun);
    changes.forEach(change -> out.println((dryRun ? "would " : "") + change));
    if (changes.isEmpty()) {
      out.println("Orchestra is not installed in " + hadoop.root() + ".");
    } else if (dryRun) {
      out.println("Nothing was changed.");
    } else {
      uninstaller.left().forEach(file -> out.println("left, since it is not ours: " + file));
      out.println("Running daemons keep what they have loaded until they restart.");
    }
    out.flush();
    return 0;
  }
}
