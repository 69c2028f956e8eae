package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An archive of the classes that a release's programs load, from which their virtual machines map
 * them ready to use (class data sharing): they start with much less processor time.
 *
 * <p>It lies beside the release and belongs to one version of Java. A virtual machine uses it only
 * if its class path begins with {@link #jars}, and with no directory before or between them;
 * otherwise it silently does without. Where there is no archive, programs start as they always do;
 * while one is {@link #beginRecording being recorded}, each also lists what it loads.
 *
 * @param hadoop the release
 */
public record SharedClasses(HadoopHome hadoop) {
  private static final Duration LONGEST_DUMP = Duration.ofMinutes(15);

  /** Where the archive is, if there is one. */
  public Path archive() {
    return beside("jsa");
  }

  /** Whether programs that start now are told to use an archive. */
  public boolean available() {
    return Files.exists(archive());
  }

  /** Whether there is an archive that this Java can use, with the jars that are there now. */
  public boolean usable() {
    if (!available()) {
      return false;
    }
    List<String> words = new ArrayList<>(List.of(Jvm.program()));
    words.addAll(options("java"));
    // With this one a virtual machine that cannot use the archive does not start.
    words.addAll(List.of("-Xshare:on", "-cp", String.join(":", jars()), "-version"));
    return Command.of(words).run().succeeded();
  }

  /** What begins the class path; nothing where there is no archive. */
  public List<String> jars() {
    return available() ? hadoop.jars().stream().map(Path::toString).toList() : List.of();
  }

  /**
   * Options of a virtual machine; none where there is no archive.
   *
   * @param program what it runs, in one word
   */
  public List<String> options(String program) {
    if (available()) {
      return List.of("-XX:SharedArchiveFile=" + archive());
    }
    return Files.isDirectory(lists())
        ? List.of("-XX:DumpLoadedClassList=" + lists().resolve(program + "-%p"))
        : List.of();
  }

  /** Options of tasks and application masters, whose class path is in their environment. */
  public List<String> containerOptions() {
    ImmutableList.Builder<String> words = ImmutableList.builder();
    words.addAll(options("container"));
    if (available()) {
      words.add("-cp", String.join(":", jars()) + ":$CLASSPATH");
    }
    return words.build();
  }

  /** From now on programs list which classes they load; an archive that was there is deleted. */
  public void beginRecording() {
    endRecording();
    FileTree.delete(archive());
    FileTree.permit(FileTree.directory(lists()), "rwxrwxrwx");
  }

  /** Makes the archive of what was listed. */
  public void archiveRecorded() {
    FileTree.write(list(), String.join("\n", listed()) + "\n");
    Command.Outcome outcome = dump().run();
    if (!outcome.succeeded() || !Files.exists(unfinished())) {
      throw new TestbedException(
          "Java cannot archive Hadoop's classes: "
              + outcome.complaint().lines().limit(5).collect(Collectors.joining("\n")));
    }
    FileTree.permit(unfinished(), "r--r--r--");
    try {
      Files.move(unfinished(), archive(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot make " + archive() + ": " + e.getMessage(), e);
    }
  }

  /** Nothing is listed any more; of a recording nothing but the archive is left. */
  public void endRecording() {
    List.of(lists(), list(), unfinished()).forEach(FileTree::delete);
  }

  private Command dump() {
    return Command.of(
            Jvm.program(),
            "-Xshare:dump",
            // Classes that cannot be archived, such as those of signed jars, are loaded as always.
            "-Xlog:cds=error",
            "-XX:SharedClassListFile=" + list(),
            "-XX:SharedArchiveFile=" + unfinished(),
            "-cp",
            String.join(":", hadoop.jars().stream().map(Path::toString).toList()))
        .named("java -Xshare:dump")
        .within(LONGEST_DUMP);
  }

  /**
   * What all programs together have listed. The last line of one that was killed may not be whole;
   * classes of other loaders than the system's, which have a source, cannot be shared.
   */
  SortedSet<String> listed() {
    SortedSet<String> lines = new TreeSet<>();
    for (Path file : FileTree.list(lists())) {
      String text = FileTree.read(file);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      Splitter.on('\n')
          .omitEmptyStrings()
          .splitToStream(whole)
          .filter(
              line -> line.startsWith("@lambda-") || CharMatcher.anyOf("# :@").matchesNoneOf(line))
          .forEach(lines::add);
    }
    return lines;
  }

  private Path lists() {
    return beside("lists");
  }

  private Path list() {
    return beside("list");
  }

  private Path unfinished() {
    return beside("new");
  }

  private Path beside(String kind) {
    String name = "%s-java-%s.%s".formatted(hadoop.root().getFileName(), Runtime.version(), kind);
    return hadoop.root().resolveSibling(name);
  }
}
