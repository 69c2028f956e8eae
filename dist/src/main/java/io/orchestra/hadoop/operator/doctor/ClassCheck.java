package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Whether classes of ours that the configuration names are on a program's class path, each once.
 */
final class ClassCheck {
  private final HadoopHome home;
  private final Configuration conf;
  private final Findings findings;

  ClassCheck(HadoopHome home, Configuration conf, Findings findings) {
    this.home = home;
    this.conf = conf;
    this.findings = findings;
  }

  void run(Program program, ClassPath classPath) throws IOException {
    int right = 0;
    for (ClassKey key : ClassKey.values()) {
      if (!key.programs().contains(program)) {
        continue;
      }
      for (Map.Entry<String, List<String>> named : key.named(conf).entrySet()) {
        for (String name : named.getValue()) {
          right += look(program, classPath, key, named.getKey(), name) ? 1 : 0;
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
  }

  private boolean look(
      Program program, ClassPath classPath, ClassKey key, String fullKey, String name)
      throws IOException {
    List<Path> holding = classPath.holding(name);
    if (holding.size() == 1) {
      return true;
    }
    String what = "%s: %s, which %s names, ".formatted(program.programName(), name, fullKey);
    if (holding.size() > 1) {
      findings.problem(
          what
              + "is on its class path %d times: %s"
                  .formatted(
                      holding.size(),
                      holding.stream().map(Path::toString).collect(Collectors.joining(", "))),
          "leave only the one below %s/orchestra; others come from HADOOP_CLASSPATH, a shell profile or copied jars"
              .formatted(home.root()));
    } else if (key.fatal()) {
      findings.problem(what + "is not on its class path: " + key.consequence(), remedy(program));
    } else {
      findings.note(
          what + "is not on its class path: it warns, and reads from HDFS", remedy(program));
    }
    return false;
  }

  private String remedy(Program program) {
    return program == Program.TASK
        ? "install --role client on all hosts of NodeManagers, and append $HADOOP_MAPRED_HOME/orchestra/current/%s to %s"
            .formatted(program.role().stableJarName(), TaskClassPath.APPLICATION)
        : "bin/orchestra install --hadoop-home %s --role %s (is the class spelt right?)"
            .formatted(home.root(), program.role().roleName());
  }
}
