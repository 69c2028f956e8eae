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
      "Puts Orchestra's jars on the class paths of a Hadoop home, and prints the properties that switch it on.",
      "It writes DIR/orchestra and DIR/libexec/shellprofile.d/orchestra.sh and nothing else. Roles are added to those"
          + " installed before; another version takes the place of the one before."
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
          "What runs on this host from this home: namenode, datanode, resourcemanager, nodemanager. The jar for"
              + " clients and tasks is always installed; client is that alone.")
  private List<Role> named;

  @Option(names = "--dry-run", description = "Only tell what would be done.")
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
        "Install on all hosts first, then change the configuration: a daemon whose XML names a class that it cannot load"
            + " does not start.\ndocs/install.md says in which order. Properties of all four plugins for the processes of this host and for who"
            + " submits jobs; for one plugin alone see its directory in conf:");
    out.println();
    Set<Role> roles = EnumSet.copyOf(wanted);
    roles.addAll(new Installation(hadoop).roles());
    out.print(new PropertiesToAdd(release).text(hadoop, roles));
    out.flush();
    return 0;
  }
}
