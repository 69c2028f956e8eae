package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Whether classes of ours are on a program's class path, each once: those that the configuration
 * names, and one of each module that the jar of its role has. What they load is looked for, too.
 */
final class ClassCheck {
  private final HadoopHome home;

  /** The version in force, without links. */
  private final Path installed;

  private final Configuration conf;
  private final Findings findings;

  ClassCheck(HadoopHome home, Configuration conf, Findings findings) {
    this.home = home;
    installed = new Installation(home).inForce();
    this.conf = conf;
    this.findings = findings;
  }

  /**
   * @param expected whether the jar of the program's role should be there whatever is named
   */
  void run(Program program, ClassPath classPath, boolean expected) throws IOException {
    int right = 0;
    Set<String> looked = new HashSet<>();
    for (ClassKey key : ClassKey.values()) {
      if (!key.programs().contains(program)) {
        continue;
      }
      for (Map.Entry<String, List<String>> named : key.named(conf).entrySet()) {
        for (String name : named.getValue()) {
          looked.add(name);
          boolean found = look(program, classPath, key, named.getKey(), name);
          right += found && ClassKey.isOurs(name) ? 1 : 0;
        }
      }
    }
    if (right > 0) {
      findings.ok(
          "%s: %s on its class path, each once"
              .formatted(
                  program.programName(),
                  right == 1 ? "1 class of ours" : right + " classes of ours"));
    }
    if (expected) {
      modules(program, classPath, looked);
    }
  }

  /** What an installation puts there, whether the configuration names it or not. */
  private void modules(Program program, ClassPath classPath, Set<String> looked)
      throws IOException {
    List<String> missing = new ArrayList<>();
    boolean isAsInstalled = true;
    for (String name : Plugins.classesFor(program.role())) {
      List<Path> holding = classPath.holding(name);
      if (holding.size() == 1 && !holding.get(0).startsWith(installed)) {
        isAsInstalled = false;
        fromElsewhere(program, holding.get(0));
      }
      if (looked.contains(name)) {
        continue;
      }
      if (holding.isEmpty()) {
        missing.add(name);
      } else if (holding.size() > 1) {
        isAsInstalled = false;
        twice(program, name + " ", holding);
      }
    }
    String jar = program.role().stableJarName();
    if (!missing.isEmpty()) {
      findings.problem(
          "%s: %s is installed and not on its class path: no %s there"
              .formatted(program.programName(), jar, String.join(", ", missing)),
          "check that %s/hadoop-env.sh, ~/.hadooprc and other shell profiles do not reset CLASSPATH; then unpack the archive and run its bin/orchestra install again"
              .formatted(home.defaultConfiguration()));
    } else if (isAsInstalled && looked.isEmpty()) {
      findings.ok(
          "%s: %s is on its class path, once; the configuration names no class of it"
              .formatted(program.programName(), jar));
    }
  }

  private boolean look(
      Program program, ClassPath classPath, ClassKey key, String fullKey, String name)
      throws IOException {
    List<Path> holding = classPath.holding(name);
    // Of others' classes Java takes the first.
    if (holding.size() == 1 || !holding.isEmpty() && !ClassKey.isOurs(name)) {
      return true;
    }
    String named = "%s, which %s names, ".formatted(name, fullKey);
    String what = "%s: %s".formatted(program.programName(), named);
    if (holding.size() > 1) {
      twice(program, named, holding);
    } else if (key.fatal()) {
      findings.problem(
          what + "is not on its class path: " + key.consequence(),
          ClassKey.isOurs(name)
              ? remedy(program)
              : "name a class that is on %s, or remove the property"
                  .formatted(TaskClassPath.APPLICATION));
    } else {
      findings.note(
          what + "is not on its class path: it warns, and reads from HDFS", remedy(program));
    }
    return false;
  }

  private void twice(Program program, String what, List<Path> holding) {
    if (holding.stream().allMatch(jar -> jar.startsWith(installed))) {
      findings.note(
          "%s: on its class path are several jars of one installation, which does no harm: %s"
              .formatted(program.programName(), listed(holding)),
          "nothing; HADOOP_CLASSPATH may have what hadoop classpath prints");
      return;
    }
    findings.problem(
        "%s: %sis on its class path %d times: %s"
            .formatted(program.programName(), what, holding.size(), listed(holding)),
        isFromArchive(program)
            ? "leave one of them: in the archive, and in " + TaskClassPath.APPLICATION
            : "keep only the one below %s/orchestra; others come from HADOOP_CLASSPATH, a shell profile or copied jars"
                .formatted(home.root()));
  }

  /** As where a copy of an older version's profile is in force. */
  private void fromElsewhere(Program program, Path jar) {
    findings.problem(
        "%s: classes of ours come from %s, and not from %s, which is installed"
            .formatted(program.programName(), jar, installed),
        "remove what puts it on the class path: an orchestra.sh in shellprofile.d of the configuration, HADOOP_CLASSPATH, or a copied jar");
  }

  private static String listed(List<Path> jars) {
    return jars.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private String remedy(Program program) {
    String jar = program.role().stableJarName();
    if (isFromArchive(program)) {
      return "put %s into the archive, and append its path there to %s; docs/install.md says how"
          .formatted(jar, TaskClassPath.APPLICATION);
    }
    return program == Program.TASK
        ? "run install --role client on all hosts of NodeManagers, and append $HADOOP_MAPRED_HOME/orchestra/current/%s to %s"
            .formatted(jar, TaskClassPath.APPLICATION)
        : "bin/orchestra install --hadoop-home %s --role %s (is the class spelt right?)"
            .formatted(home.root(), program.role().roleName());
  }

  private boolean isFromArchive(Program program) {
    return program == Program.TASK && new TaskClassPath(conf).archive().isPresent();
  }
}
