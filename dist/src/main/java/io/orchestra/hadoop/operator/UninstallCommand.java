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
        "Removes exactly what install made. Refuses while the configuration names classes of Orchestra.",
    mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOption home;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "The directory with hdfs-site.xml and the others. Default: $HADOOP_CONF_DIR, or of the home etc/hadoop, or conf if that has hadoop-env.sh")
  private Path configuration;

  @Option(
      names = "--force",
      description = "Also if the configuration names classes of ours, or does not tell.")
  private boolean force;

  @Option(names = "--dry-run", description = "Only tell what would be done.")
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
      out.println("Daemons that run keep what they have loaded until they restart.");
    }
    out.flush();
    return 0;
  }
}
