package io.orchestra.hadoop.operator.install;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The files by which a Hadoop cluster is configured. */
public enum Site {
  CORE(EnumSet.allOf(Role.class)),
  HDFS(EnumSet.allOf(Role.class)),
  YARN(EnumSet.of(Role.RESOURCEMANAGER, Role.NODEMANAGER, Role.CLIENT)),
  MAPRED(EnumSet.of(Role.CLIENT));

  private final Set<Role> readers;

  Site(Set<Role> readers) {
    this.readers = readers;
  }

  /** Whose settings are taken from it. */
  Set<Role> readers() {
    return readers;
  }

  public String fileName() {
    return name().toLowerCase(Locale.ROOT) + "-site.xml";
  }
}
