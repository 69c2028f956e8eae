package io.orchestra.hadoop.testbed.hadoop;

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
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An archive of the classes that a release's programs load, from which their virtual machines map
 * them ready to use (class data sharing): they start with much less processor time.
 *
 * <p>It lies beside the release and belongs to one version of Java. A virtual machine uses it only
 * if its class path begins with {@link #jars}, and with no directory before or between them;
 * otherwise it silently does without. Where there is no archive, programs start as they always do.
 *
 * @param hadoop the release
 */
public record SharedClasses(HadoopHome hadoop) {
  private static final Duration LONGEST_DUMP = Duration.ofMinutes(15);

  /** Where the archive is, if there is one. */
  public Path archive() {
    String name = "%s-java-%s.jsa".formatted(hadoop.root().getFileName(), Runtime.version());
    return hadoop.root().resolveSibling(name);
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
    words.addAll(options());
    // With this one a virtual machine that cannot use the archive does not start.
    words.addAll(List.of("-Xshare:on", "-cp", String.join(":", jars()), "-version"));
    return Command.of(words).withOnly(Map.of()).run().succeeded();
  }

  /** What begins the class path; nothing where there is no archive. */
  public List<String> jars() {
    return available() ? allJars() : List.of();
  }

  /** Options of a virtual machine; none where there is no archive. */
  public List<String> options() {
    return available() ? List.of("-XX:SharedArchiveFile=" + archive()) : List.of();
  }

  /**
   * Options of tasks and application masters, whose class path is in their environment; none where
   * there is no archive.
   */
  public List<String> containerOptions() {
    return available()
        ? ImmutableList.<String>builder()
            .addAll(options())
            .add("-cp", String.join(":", jars()) + ":$CLASSPATH")
            .build()
        : List.of();
  }

  /**
   * Makes the archive, in place of one that was there.
   *
   * @param list a file with the classes that belong into it, as virtual machines write and read it
   */
  public void make(Path list) {
    Path unfinished = list.resolveSibling("archive");
    Command.Outcome outcome = dump(list, unfinished).run();
    if (!outcome.succeeded() || !Files.exists(unfinished)) {
      throw new TestbedException(
          "Java cannot archive Hadoop's classes: "
              + outcome.complaint().lines().limit(5).collect(Collectors.joining("\n")));
    }
    FileTree.permit(unfinished, "r--r--r--");
    try {
      Files.move(unfinished, archive(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot make " + archive() + ": " + e.getMessage(), e);
    }
    if (!usable()) {
      throw new TestbedException("Java has archived Hadoop's classes, but cannot use the archive");
    }
  }

  private Command dump(Path list, Path target) {
    return Command.of(
            Jvm.program(),
            "-Xshare:dump",
            // Classes that cannot be archived, such as those of signed jars, are loaded as always.
            "-Xlog:cds=error",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + target,
            "-cp",
            String.join(":", allJars()))
        .named("java -Xshare:dump")
        .withOnly(Map.of())
        .within(LONGEST_DUMP);
  }

  private List<String> allJars() {
    return hadoop.jars().stream().map(Path::toString).toList();
  }
}
