package io.orchestra.hadoop.testbed.cluster;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where the programs of one cluster list which classes they load, a file for each.
 *
 * @param directory which is there only on a cluster that is to do so
 */
record ClassLists(Path directory) {
  /** From now on the cluster's programs, of whatever user, list their classes. */
  void begin() {
    FileTree.permit(FileTree.directory(directory), "rwxrwxrwx");
  }

  boolean wanted() {
    return Files.isDirectory(directory);
  }

  /**
   * The option of a virtual machine that makes it do so.
   *
   * @param program what it runs, in one word
   */
  String option(String program) {
    return "-XX:DumpLoadedClassList=" + directory.resolve(program + "-%p");
  }

  /**
   * What all have listed until now. The last line of a file may not be whole; classes of other
   * loaders than the system's, which have a source, cannot be shared.
   */
  SortedSet<String> all() {
    SortedSet<String> lines = new TreeSet<>();
    for (Path file : FileTree.list(directory)) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        String text = FileTree.read(file);
        Splitter.on('\n')
            .omitEmptyStrings()
            .splitToStream(text.substring(0, text.lastIndexOf('\n') + 1))
            .filter(
                line ->
                    line.startsWith("@lambda-") || CharMatcher.anyOf("# :@").matchesNoneOf(line))
            .forEach(lines::add);
      }
    }
    return lines;
  }
}
