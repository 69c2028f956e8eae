package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.Role;
import java.util.Locale;
import java.util.Optional;

/** The programs whose class paths matter. */
enum Program {
  NAMENODE(Role.NAMENODE, "hdfs", "namenode"),
  DATANODE(Role.DATANODE, "hdfs", "datanode"),
  RESOURCEMANAGER(Role.RESOURCEMANAGER, "yarn", "resourcemanager"),
  NODEMANAGER(Role.NODEMANAGER, "yarn", "nodemanager"),
  /** Application masters and tasks: their class path is in the configuration, not in scripts. */
  TASK(Role.CLIENT, "", ""),
  CLIENT(Role.CLIENT, "hdfs", "dfs");

  private final Role role;
  private final String script;
  private final String subcommand;

  Program(Role role, String script, String subcommand) {
    this.role = role;
    this.script = script;
    this.subcommand = subcommand;
  }

  String programName() {
    return name().toLowerCase(Locale.ROOT);
  }

  Role role() {
    return role;
  }

  /** The script that starts it, if one does. */
  Optional<String> script() {
    return Optional.of(script).filter(name -> !name.isEmpty());
  }

  /** What the script is told to start. */
  String subcommand() {
    return subcommand;
  }
}
