package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.cluster.CommandJars;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The programs of the in-process cluster: its daemons and its clients.
 *
 * @param work the directory for everything they store
 */
record InProcessPrograms(Path work, HadoopHome hadoop) {
  private static final int HEAP_MEGABYTES = 1500;

  /** Writes their settings, and copies our jars, so that a build does not change them meanwhile. */
  void layOut(Project project, List<Plugin> plugins, List<Setting> settings) {
    FileTree.directory(work.resolve(InProcessSettings.TEMPORARY));
    FileTree.directory(jars());
    for (Plugin plugin : plugins) {
      project.jars(plugin).forEach(jar -> FileTree.copy(jar, jars().resolve(jar.getFileName())));
    }
    new InProcessSettings(hadoop, configuration()).write(work, project, plugins, settings);
  }

  Command daemons() {
    List<String> classPath = new ArrayList<>();
    classPath.add(configuration().toString());
    classPath.addAll(hadoop.classPath());
    classPath.add(hadoop.root() + "/share/hadoop/yarn/test/*");
    classPath.add(hadoop.root() + "/share/hadoop/minicluster/lib/*");
    classPath.add(jars() + "/*");
    // Last, because its libraries are not those that Hadoop ships.
    classPath.add(CommandJars.own().toString());
    List<String> words = java(classPath, List.of("-Dtest.build.data=" + work.resolve("data")));
    words.addAll(List.of(InProcessDaemons.class.getName(), work.toString()));
    return Command.of(words)
        .named("the in-process cluster")
        .in(work)
        .adding(Map.of("HADOOP_USER_NAME", Account.HDFS.userName()));
  }

  /** A stock client program. */
  Command client(List<String> words) {
    ClientProgram program = ClientProgram.parse(words, hadoop);
    List<String> classPath = new ArrayList<>(List.of(configuration().toString()));
    classPath.addAll(hadoop.classPath());
    List<String> all = java(classPath, List.of());
    all.add(program.mainClass());
    all.addAll(program.arguments());
    return Command.of(all).named(String.join(" ", words));
  }

  /**
   * Web servers and clients leave files behind; below the directory they go with everything else.
   */
  private List<String> java(List<String> classPath, List<String> options) {
    List<String> words = new ArrayList<>();
    words.add(Jvm.program());
    words.add("-Djava.io.tmpdir=" + work.resolve(InProcessSettings.TEMPORARY));
    words.addAll(Jvm.options(HEAP_MEGABYTES));
    words.addAll(options);
    words.addAll(List.of("-cp", String.join(":", classPath)));
    return words;
  }

  private Path jars() {
    return work.resolve(InProcessSettings.JARS);
  }

  private Path configuration() {
    return work.resolve("conf");
  }
}
