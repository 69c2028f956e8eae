package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kinds of Hadoop process that load classes of ours; there is a jar for each. */
public enum Role {
  NAMENODE("NameNode"),
  DATANODE("DataNode"),
  RESOURCEMANAGER("ResourceManager"),
  NODEMANAGER("NodeManager"),
  /** Application masters, tasks, and all programs that are none of the daemons above. */
  CLIENT("application masters, tasks and clients");

  private final String title;

  Role(String title) {
    this.title = title;
  }

  public static Role named(String name) {
    return Arrays.stream(values())
        .filter(role -> role.roleName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new OperatorException(
                    "'%s' is not a role".formatted(name),
                    "use some of "
                        + Arrays.stream(values())
                            .map(Role::roleName)
                            .collect(Collectors.joining(", "))
                        + ", separated by commas"));
  }

  /** In command lines, names of files, and Hadoop's scripts. */
  public String roleName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** In sentences. */
  public String title() {
    return title;
  }

  /** The jar in an installation; the same in all versions, since operators' XML names it. */
  public String stableJarName() {
    return "orchestra-" + roleName() + ".jar";
  }
}
