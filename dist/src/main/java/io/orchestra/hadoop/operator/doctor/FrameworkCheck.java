package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installation;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** The archive that tasks take Hadoop from in place of their host's home, and our jar in it. */
final class FrameworkCheck {
  private static final String JAR = Role.CLIENT.stableJarName();

  private final HadoopHome home;
  private final Path configuration;
  private final Findings findings;

  FrameworkCheck(HadoopHome home, Path configuration, Findings findings) {
    this.home = home;
    this.configuration = configuration;
    this.findings = findings;
  }

  /**
   * @param conf that names an archive
   * @param unpacked where that is unpacked on this host, if it is
   */
  void run(Configuration conf, Optional<Path> unpacked, ClassCheck check) throws IOException {
    TaskClassPath tasks = new TaskClassPath(conf);
    String archive = tasks.archive().orElseThrow();
    String name;
    try {
      name = TaskClassPath.archiveName(archive);
    } catch (URISyntaxException e) {
      findings.problem(
          "task: no job can be submitted: %s is no URI: %s"
              .formatted(TaskClassPath.FRAMEWORK, e.getMessage()),
          "write it like hdfs:///mapred/framework/hadoop-mapreduce.tar.gz#mr-framework");
      return;
    }
    if (!tasks.names(name)) {
      findings.problem(
          "task: no job can be submitted: %s names nothing in %s, as the archive %s is called in containers"
              .formatted(TaskClassPath.APPLICATION, name, archive),
          "list there what tasks need from the archive, each entry as $PWD/%s/…".formatted(name));
    } else if (unpacked.isEmpty()) {
      notLookedAt(archive, ClassKey.jobsNeedOurs(conf));
    } else if (!Files.isDirectory(unpacked.get())) {
      findings.unknown(
          "--framework is %s, which is no directory".formatted(unpacked.get()),
          "unpack the archive %s there".formatted(archive));
    } else {
      ClassPath classPath = tasks.in(unpacked.get(), name, home, configuration);
      check.run(Program.TASK, classPath, false);
      jars(archive, unpacked.get().toRealPath(), classPath);
    }
  }

  private void notLookedAt(String archive, boolean needed) {
    String text =
        "task: takes Hadoop from the archive %s, into which this does not look".formatted(archive);
    String remedy =
        "unpack it and pass its directory with --framework; docs/install.md says how to put %s into it"
            .formatted(JAR);
    if (needed) {
      findings.unknown(text, remedy);
    } else {
      findings.note(text, remedy);
    }
  }

  /** Whether it has the one that is installed; classes that are needed have been looked for. */
  private void jars(String archive, Path unpacked, ClassPath classPath) throws IOException {
    Set<Path> jars = new TreeSet<>();
    for (String name : Plugins.classesFor(Role.CLIENT)) {
      classPath.holding(name).stream()
          .filter(entry -> entry.startsWith(unpacked) && Files.isRegularFile(entry))
          .forEach(jars::add);
    }
    if (jars.isEmpty()) {
      findings.note(
          "task: no jar of ours in the archive %s is on its class path".formatted(archive),
          "docs/install.md says how to put it there");
    }
    Path installed = new Installation(home).current().resolve(JAR);
    for (Path jar : jars) {
      String where = "task: %s of the archive %s ".formatted(unpacked.relativize(jar), archive);
      if (!Files.exists(installed)) {
        findings.ok(where + "is on its class path");
      } else if (Files.mismatch(jar, installed) < 0) {
        findings.ok(where + "is the jar that is installed");
      } else {
        findings.note(
            where + "is not the jar that is installed",
            "put %s into the archive, and give the archive a new name".formatted(installed));
      }
    }
  }
}
