package io.orchestra.hadoop.testbed.cluster;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the programs of one cluster list which classes they load, a file for each.
 *
 * @param directory which is there only on a cluster that is to do so
 */
record ClassLists(Path directory) {
  /** Later versions of Java than 17 give each class a number. */
  private static final Pattern CLASS = Pattern.compile("(?<name>[^# :@]+)(?: id: [0-9]+)?");

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
   * The classes, and call sites of lambda expressions, that all have listed until now. The last
   * line of a file may not be whole; classes of other loaders than the system's, which have a
   * source, cannot be shared.
   */
  SortedSet<String> all() {
    SortedSet<String> lines = new TreeSet<>();
    for (Path file : FileTree.list(directory)) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        String text = FileTree.read(file);
        Splitter.on('\n')
            .omitEmptyStrings()
            .splitToStream(text.substring(0, text.lastIndexOf('\n') + 1))
            .flatMap(line -> shareable(line).stream())
            .forEach(lines::add);
      }
    }
    return lines;
  }

  private static Optional<String> shareable(String line) {
    if (line.startsWith("@lambda-")) {
      return Optional.of(line);
    }
    Matcher matcher = CLASS.matcher(line);
    return matcher.matches() ? Optional.of(matcher.group("name")) : Optional.empty();
  }
}
