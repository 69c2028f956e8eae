package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import java.nio.file.Path;

/** An unpacked archive with files of a line each. */
public final class StandInRelease {
  private StandInRelease() {}

  /**
   * @param content of the jars, so that two of one version may differ
   */
  public static Release make(Path root, String version, String content) {
    for (Role role : Role.values()) {
      StandInHome.writeTo(
          root.resolve("jars/orchestra-%s-%s.jar".formatted(role.roleName(), version)), content);
    }
    StandInHome.writeTo(root.resolve("bin/orchestra"), "#!/bin/sh\n");
    StandInHome.writeTo(root.resolve("LICENSE"), "free\n");
    StandInHome.writeTo(
        root.resolve("conf/all/hdfs-site.xml"),
        """
        <configuration>
          <property>
            <name>dfs.namenode.plugins</name>
            <value>io.orchestra.hadoop.placement.LinkCollector</value>
          </property>
          <property>
            <name>dfs.datanode.plugins</name>
            <value>io.orchestra.hadoop.placement.LinkReporter</value>
          </property>
          <property>
            <name>orchestra.block-cache.enabled</name>
            <value>true</value>
            <final>true</final>
          </property>
        </configuration>
        """);
    return new Release(root);
  }
}
