package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.HadoopScripts;
import io.orchestra.hadoop.operator.install.Uninstaller;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  /**
   * One of HDFS's and one of YARN's: hadoop-env.sh may lead them to different XML.
   *
   * @param script that starts it
   */
  private record Daemon(String script, String name) {}

  private static final List<Daemon> DAEMONS =
      List.of(new Daemon("hdfs", "namenode"), new Daemon("yarn", "resourcemanager"));

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
  public Integer call() throws InterruptedException {
    HadoopHome hadoop = home.openToRemove();
    Uninstaller uninstaller = new Uninstaller(hadoop);
    PrintWriter out = spec.commandLine().getOut();
    if (!force) {
      requireUnused(uninstaller, hadoop, out);
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

  private void requireUnused(Uninstaller uninstaller, HadoopHome hadoop, PrintWriter out)
      throws InterruptedException {
    Path named = HomeOption.configuration(hadoop, configuration);
    Set<Path> others = others(hadoop, named);
    uninstaller.requireUnused(named, others);
    out.println(unused(named));
    others.forEach(other -> out.println(unused(other)));
  }

  /** What daemons may be configured by besides. */
  private static Set<Path> others(HadoopHome hadoop, Path named) throws InterruptedException {
    HadoopScripts scripts = new HadoopScripts(hadoop, named, HadoopScripts.LONGEST);
    Set<Path> others = new LinkedHashSet<>();
    for (Daemon daemon : DAEMONS) {
      try {
        scripts.configurationOf(daemon.script(), daemon.name()).ifPresent(others::add);
      } catch (IOException e) {
        throw new OperatorException(
            "Hadoop's scripts do not say by what a %s is configured: %s"
                .formatted(daemon.name(), e.getMessage()),
            "look whether it names classes of Orchestra (--force removes the jars in any case)",
            e);
      }
    }
    // With it yarn's scripts pass over what they are told, where daemons are started as this was.
    Optional.ofNullable(System.getenv(HadoopScripts.YARN_CONF_DIR))
        .filter(directory -> !directory.isBlank())
        .ifPresent(directory -> others.add(Path.of(directory).toAbsolutePath().normalize()));
    others.remove(named);
    return others;
  }

  private static String unused(Path configuration) {
    return "Nothing in " + configuration + " names a class of Orchestra.";
  }
}
