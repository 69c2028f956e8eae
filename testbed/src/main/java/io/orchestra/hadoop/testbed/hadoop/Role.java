package io.orchestra.hadoop.testbed.hadoop;

import java.util.Locale;

/** The kinds of Hadoop process that load jars of ours; each has a directory for them. */
public enum Role {
  NAMENODE,
  DATANODE,
  RESOURCEMANAGER,
  NODEMANAGER,
  /** Application masters and tasks, and clients, in which tasks of local jobs run. */
  TASKS;

  public String directoryName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** In the name of the jar that operators install for it. */
  String jarName() {
    return this == TASKS ? "client" : directoryName();
  }
}
