package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installation;
import io.orchestra.hadoop.operator.install.Installer;
import io.orchestra.hadoop.operator.install.PropertiesToAdd;
import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code orchestra install}. */
@Command(
    name = "install",
    description = {
      "Installs Orchestra's jars in a Hadoop home, puts them on the class paths of its programs,"
          + " and prints the properties that switch the plugins on.",
      "Writes DIR/orchestra and DIR/libexec/shellprofile.d/orchestra.sh, and nothing else. New"
          + " roles are added to the installed ones; a new version replaces the installed one."
    },
    mixinStandardHelpOptions = true)
final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOption home;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      split = ",",
      converter = RoleName.class,
      required = true,
      description =
          "What this host runs from this home, separated by commas: namenode, datanode,"
              + " resourcemanager, nodemanager. The jar for clients and tasks is always installed;"
              + " name client where none of these daemons runs.")
  private List<Role> named;

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException {
    HadoopHome hadoop = home.open();
    Set<Role> wanted = EnumSet.of(Role.CLIENT);
    wanted.addAll(named);
    Release release = Release.ofThisCommand();
    List<String> changes = new Installer(release, hadoop).install(wanted, dryRun);
    PrintWriter out = spec.commandLine().getOut();
    if (!hadoop.tested()) {
      out.println(
          "Hadoop %s is not among the tested versions (%s)."
              .formatted(hadoop.version(), String.join(", ", HadoopHome.TESTED)));
    }
    changes.forEach(change -> out.println((dryRun ? "would " : "") + change));
    out.println(
        changes.isEmpty()
            ? "%s is installed in %s already.".formatted(release.version(), hadoop.root())
            : dryRun
                ? "Nothing was changed."
                : "%s is installed: %s."
                    .formatted(release.version(), new Installation(hadoop).current()));
    out.println();
    out.println(
        "First install on all hosts, then change the configuration: a daemon whose XML names a class that it cannot load"
            + " does not start.\ndocs/install.md has the order. Below are the properties of all four plugins that the processes of this"
            + " host read, and those\nfor whoever submits jobs. For a single plugin, take those of its directory in conf.");
    out.println();
    Set<Role> roles = EnumSet.copyOf(wanted);
    roles.addAll(new Installation(hadoop).roles());
    out.print(new PropertiesToAdd(release).text(hadoop, roles));
    out.flush();
    return 0;
  }
}
