package io.orchestra.hadoop.operator.install;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which processes read a property that switches a plugin on. */
final class PropertyReaders {
  /** Of keys, or of all that begin so where they end with a dot. */
  private static final Map<String, Set<Role>> KEYS =
      Map.of(
          "dfs.namenode.plugins", EnumSet.of(Role.NAMENODE),
          "dfs.block.replicator.classname", EnumSet.of(Role.NAMENODE),
          "dfs.block.placement.ec.classname", EnumSet.of(Role.NAMENODE),
          "dfs.datanode.plugins", EnumSet.of(Role.DATANODE),
          "dfs.client.replica.accessor.builder.classes", EnumSet.of(Role.NODEMANAGER, Role.CLIENT),
          "orchestra.prefetch.coordinators", EnumSet.of(Role.DATANODE),
          "yarn.nodemanager.", EnumSet.of(Role.NODEMANAGER),
          "yarn.resourcemanager.", EnumSet.of(Role.RESOURCEMANAGER),
          "yarn.app.mapreduce.", EnumSet.of(Role.CLIENT),
          "mapreduce.", EnumSet.of(Role.CLIENT));

  /** Of our own, by the module that their names begin with. */
  private static final Map<String, Set<Role>> MODULES =
      Map.of(
          "orchestra.placement.", EnumSet.of(Role.NAMENODE, Role.DATANODE),
          "orchestra.broadcast.", EnumSet.of(Role.NAMENODE, Role.DATANODE),
          "orchestra.shuffle.", EnumSet.of(Role.NODEMANAGER, Role.CLIENT),
          "orchestra.prefetch.", EnumSet.of(Role.RESOURCEMANAGER, Role.DATANODE, Role.CLIENT),
          "orchestra.block-cache.", EnumSet.of(Role.DATANODE, Role.NODEMANAGER, Role.CLIENT));

  private PropertyReaders() {}

  /** The roles that read a key; all of them if it is not known here. */
  static Set<Role> of(String key) {
    for (Map<String, Set<Role>> table : List.of(KEYS, MODULES)) {
      for (Map.Entry<String, Set<Role>> entry : table.entrySet()) {
        boolean matches =
            entry.getKey().endsWith(".")
                ? key.startsWith(entry.getKey())
                : key.equals(entry.getKey());
        if (matches) {
          return entry.getValue();
        }
      }
    }
    return EnumSet.allOf(Role.class);
  }
}
