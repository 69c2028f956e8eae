package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the virtual machines of one cluster have Hadoop's classes from. That is decided when the
 * cluster is laid out, so that all of them start alike, whenever they do.
 *
 * @param directory of the cluster
 */
record ProgramClasses(Path directory, HadoopHome hadoop) {
  enum Source {
    /** As always. */
    JARS,
    /** The same; what each program loads is listed. */
    JARS_AND_LISTED,
    /** The release's archive, and the jars for what it does not have. */
    ARCHIVE
  }

  void from(Source source) {
    switch (source) {
      case JARS -> {}
      case JARS_AND_LISTED -> lists().begin();
      case ARCHIVE -> share();
    }
  }

  private void share() {
    FileTree.write(classPath(), shared().classPath());
    try {
      Files.createSymbolicLink(shared().archive(), SharedClasses.of(hadoop).archive());
    } catch (IOException e) {
      throw new TestbedException("cannot make " + shared().archive() + ": " + e.getMessage(), e);
    }
  }

  /** What programs list, if they are to do so. */
  ClassLists lists() {
    return new ClassLists(directory.resolve("class-lists"));
  }

  /** The archive that programs use, if they have one. */
  SharedClasses shared() {
    return new SharedClasses(hadoop, directory.resolve("classes.jsa"));
  }

  private Path classPath() {
    return directory.resolve("classes.path");
  }

  /** What begins the class path of daemons and clients. */
  List<String> jars() {
    return shared().jars();
  }

  /**
   * Options of a virtual machine, with {@link #jars}.
   *
   * @param program what it runs, in one word
   */
  List<String> options(String program) {
    return lists().wanted() ? List.of(lists().option(program)) : shared().options();
  }

  /**
   * Options of tasks and application masters, whose class path is in their environment and whose
   * command a shell reads. The jars are in a file: their names would make a job's configuration,
   * which every host reads, several times as long.
   */
  List<String> containerOptions() {
    List<String> options = new ArrayList<>(options("container"));
    if (shared().available()) {
      options.addAll(List.of("-cp", "$(cat %s):$CLASSPATH".formatted(classPath())));
    }
    return options;
  }
}
