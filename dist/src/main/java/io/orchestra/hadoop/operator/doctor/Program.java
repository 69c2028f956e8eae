package io.orchestra.hadoop.operator.doctor;

import static io.orchestra.hadoop.operator.install.Site.CORE;
import static io.orchestra.hadoop.operator.install.Site.HDFS;
import static io.orchestra.hadoop.operator.install.Site.MAPRED;
import static io.orchestra.hadoop.operator.install.Site.YARN;

import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.operator.install.Site;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The programs whose class paths matter. */
enum Program {
  NAMENODE(Role.NAMENODE, "hdfs", "namenode", CORE, HDFS),
  DATANODE(Role.DATANODE, "hdfs", "datanode", CORE, HDFS),
  RESOURCEMANAGER(Role.RESOURCEMANAGER, "yarn", "resourcemanager", CORE, YARN),
  NODEMANAGER(Role.NODEMANAGER, "yarn", "nodemanager", CORE, YARN, HDFS),
  /**
   * Application masters and tasks: their class path is in the configuration, not in scripts, and
   * that is the one that their job was submitted with.
   */
  TASK(Role.CLIENT, "", "", CORE, MAPRED, YARN, HDFS),
  CLIENT(Role.CLIENT, "hdfs", "dfs", CORE, MAPRED, YARN, HDFS);

  private final Role role;
  private final String script;
  private final String subcommand;
  private final List<Site> sites;

  Program(Role role, String script, String subcommand, Site... sites) {
    this.role = role;
    this.script = script;
    this.subcommand = subcommand;
    this.sites = List.of(sites);
  }

  String programName() {
    return name().toLowerCase(Locale.ROOT);
  }

  Role role() {
    return role;
  }

  /** In sentences. */
  static String titles(Set<Program> programs) {
    return programs.stream()
        .map(program -> program.role().title())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** The script that starts it, if one does. */
  Optional<String> script() {
    return Optional.of(script).filter(name -> !name.isEmpty());
  }

  /** What the script is told to start. */
  String subcommand() {
    return subcommand;
  }

  /** What it reads, in the order of MapReduce's ConfigUtil and then HdfsConfiguration. */
  List<Site> sites() {
    return sites;
  }
}
