package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Role;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command lines of Hadoop's programs on a cluster, with the class path of their role.
 *
 * @param kerberos of the cluster, if it has it
 */
record HadoopPrograms(ClusterDirectory directory, HadoopHome hadoop, Optional<Kerberos> kerberos) {
  private static final int CLIENT_HEAP_MEGABYTES = 400;

  List<String> daemon(Daemon daemon, List<String> arguments) {
    return java(
        daemon.marker(),
        daemon.heapMegabytes(),
        !hasAnotherClassOfHadoops(daemon),
        daemonClassPath(daemon),
        daemon.mainClass(),
        arguments);
  }

  List<String> client(ClientProgram program) {
    return java(
        "-Dproc_client",
        CLIENT_HEAP_MEGABYTES,
        true,
        clientClassPath(),
        program.mainClass(),
        program.arguments());
  }

  /**
   * A program of this command's own: a client's class path, and then our jars and their libraries.
   */
  List<String> ours(String mainClass, int heapMegabytes, List<String> arguments) {
    List<String> entries = new ArrayList<>(clientClassPath());
    entries.add(directory.commandJars() + "/*");
    return java("-Dproc_orchestra", heapMegabytes, true, entries, mainClass, arguments);
  }

  /** NodeManagers with Kerberos do not start without native code, which no release of ours has. */
  private boolean hasAnotherClassOfHadoops(Daemon daemon) {
    return daemon == Daemon.NODEMANAGER && kerberos.isPresent();
  }

  private List<String> daemonClassPath(Daemon daemon) {
    List<String> entries = new ArrayList<>();
    if (hasAnotherClassOfHadoops(daemon)) {
      entries.add(directory.secureIo() + "/*");
    }
    if (Files.isDirectory(directory.configuration(daemon))) {
      entries.add(directory.configuration(daemon).toString());
    }
    entries.addAll(classPath(daemon.role()));
    return entries;
  }

  /**
   * Configuration, then the release in its own order, then our jars for the role. In programs that
   * use an archive of classes its jars come before.
   */
  List<String> classPath(Optional<Role> role) {
    List<String> entries = new ArrayList<>();
    entries.add(directory.configuration().toString());
    entries.addAll(hadoop.classPath());
    role.ifPresent(r -> entries.add(directory.jars(r) + "/*"));
    return entries;
  }

  /**
   * With our jars for tasks, which run in the client where a job runs locally, and with GridMix and
   * Rumen, as Hadoop's scripts add them for their programs.
   */
  private List<String> clientClassPath() {
    List<String> entries = new ArrayList<>(classPath(Optional.of(Role.TASKS)));
    hadoop.toolJars().forEach(jar -> entries.add(jar.toString()));
    return entries;
  }

  /** What Hadoop's own scripts would set. */
  Map<String, String> environment() {
    return ImmutableMap.of(
        "JAVA_HOME", Jvm.home().toString(),
        "HADOOP_HOME", hadoop.root().toString(),
        "HADOOP_CONF_DIR", directory.configuration().toString());
  }

  private List<String> java(
      String marker,
      int heap,
      boolean sharesClasses,
      List<String> classPath,
      String mainClass,
      List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(Jvm.program());
    words.add(marker);
    words.addAll(Jvm.options(heap));
    kerberos.ifPresent(k -> words.add(k.jvmOption()));
    List<String> entries = new ArrayList<>(classPath);
    if (sharesClasses) {
      ProgramClasses classes = directory.programClasses(hadoop);
      words.addAll(classes.options(marker.substring(marker.indexOf('_') + 1)));
      entries.addAll(0, classes.jars());
    }
    words.add("-cp");
    words.add(String.join(":", entries));
    words.add(mainClass);
    words.addAll(arguments);
    return words;
  }
}
