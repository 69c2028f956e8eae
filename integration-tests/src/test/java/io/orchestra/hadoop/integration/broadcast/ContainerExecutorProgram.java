package io.orchestra.hadoop.integration.broadcast;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account.Group;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * What Hadoop's LinuxContainerExecutor needs on a host beside the NodeManager: a program that runs
 * localizers and containers as the job's user.
 *
 * <p>Hadoop's own is native and in no Maven repository; a script of ours stands in for it, unless
 * the system property {@value #NATIVE} names the file of a native one.
 */
final class ContainerExecutorProgram {
  private static final String NATIVE = "orchestra.container-executor";
  private static final String NAME = "executor/bin/container-executor";
  private static final String PREFIX = "yarn.nodemanager.linux-container-executor.";

  private ContainerExecutorProgram() {}

  /**
   * Settings of NodeManagers that use it.
   *
   * @param mountPoint where a host sees its own directory
   */
  static List<Setting> settings(Path mountPoint) {
    return List.of(
        new Setting(
            Site.YARN,
            "yarn.nodemanager.container-executor.class",
            "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor"),
        new Setting(Site.YARN, PREFIX + "path", mountPoint.resolve(NAME).toString()),
        new Setting(Site.YARN, PREFIX + "group", Group.HADOOP.groupName()),
        // Not as "nobody", but as the job's user.
        new Setting(Site.YARN, PREFIX + "nonsecure-mode.limit-users", "false"));
  }

  /**
   * @param host the host's own directory
   */
  static void install(Path host) throws IOException {
    Path program = host.resolve(NAME);
    FileTree.directory(program.getParent());
    Optional<Path> given = Optional.ofNullable(System.getProperty(NATIVE)).map(Path::of);
    if (given.isPresent()) {
      forGroup(given.get(), program, 06050);
      FileTree.write(
          FileTree.directory(host.resolve("executor/etc/hadoop")).resolve("container-executor.cfg"),
          PREFIX + "group=" + Group.HADOOP.groupName() + "\nbanned.users=hdfs\nmin.user.id=1000\n");
    } else {
      try (InputStream script =
          ContainerExecutorProgram.class.getResourceAsStream("container-executor")) {
        Files.copy(script, program);
      }
      Files.setAttribute(program, "unix:mode", 0755);
      forGroup(Path.of("/usr/bin/setpriv"), program.resolveSibling("as-root"), 04750);
    }
  }

  /** A copy that belongs to root, and that the NodeManager's group may run. */
  private static void forGroup(Path source, Path target, int mode) throws IOException {
    Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
    FileTree.own(target, 0, Group.HADOOP.number());
    // After the owner, whose change takes the set-user-id bit away.
    Files.setAttribute(target, "unix:mode", mode);
  }
}
