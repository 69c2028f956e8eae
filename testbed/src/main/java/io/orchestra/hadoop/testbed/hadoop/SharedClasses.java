package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An archive of the classes that a release's programs load, from which their virtual machines map
 * them ready to use (class data sharing): they start with much less processor time.
 *
 * <p>A virtual machine uses it only if its class path begins with {@link #jars}, and with no
 * directory before or between them; otherwise it silently does without. Where there is no archive,
 * programs start as they always do.
 *
 * @param hadoop the release
 * @param archive where the archive is, if there is one
 */
public record SharedClasses(HadoopHome hadoop, Path archive) {
  private static final Duration LONGEST_DUMP = Duration.ofMinutes(15);

  /** Those of all clusters: the archive lies beside the release, one for each version of Java. */
  public static SharedClasses of(HadoopHome hadoop) {
    String name = "%s-java-%s.jsa".formatted(hadoop.root().getFileName(), Runtime.version());
    return new SharedClasses(hadoop, hadoop.root().resolveSibling(name));
  }

  /** Whether programs that start now are told to use the archive. */
  public boolean available() {
    return Files.exists(archive);
  }

  /** Whether there is an archive that this Java can use, with the jars that are there now. */
  public boolean usable() {
    return available() && trial().succeeded();
  }

  /** Starts a virtual machine that ends at once if it cannot use the archive. */
  private Command.Outcome trial() {
    return Command.of(
            Jvm.program(),
            option(),
            "-Xshare:on",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+VerifySharedSpaces",
            "-cp",
            classPath(),
            "-version")
        .withOnly(Map.of())
        .run();
  }

  /** What begins the class path; nothing where there is no archive. */
  public List<String> jars() {
    return available() ? allJars() : List.of();
  }

  /** Options of a virtual machine; none where there is no archive. */
  public List<String> options() {
    return available() ? List.of(option()) : List.of();
  }

  private String option() {
    return "-XX:SharedArchiveFile=" + archive;
  }

  /** The jars, as an option of a virtual machine names them. */
  public String classPath() {
    return String.join(":", allJars());
  }

  /**
   * Makes the archive, in place of one that was there. If that fails none is there that was not
   * there before.
   *
   * @param list the classes that belong into it, in lines as virtual machines write and read them
   */
  public void make(Collection<String> list) {
    Path work = archive.resolveSibling(".archiving-" + archive.getFileName());
    // One that was killed may have left it.
    FileTree.delete(work);
    try {
      FileTree.directory(work);
      SharedClasses unfinished = new SharedClasses(hadoop, work.resolve("archive"));
      Path lines = work.resolve("list");
      FileTree.write(lines, String.join("\n", list) + "\n");
      unfinished.dump(lines);
      FileTree.permit(unfinished.archive, "r--r--r--");
      Files.move(unfinished.archive, archive, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot make " + archive + ": " + e.getMessage(), e);
    } finally {
      FileTree.delete(work);
    }
  }

  private void dump(Path list) {
    Command.Outcome outcome = dumping(list).run();
    if (!outcome.succeeded() || !available()) {
      throw new TestbedException("Java cannot archive Hadoop's classes: " + reason(outcome));
    }
    Command.Outcome trial = trial();
    if (!trial.succeeded()) {
      throw new TestbedException(
          "Java has archived Hadoop's classes, but cannot use the archive: " + reason(trial));
    }
  }

  private Command dumping(Path list) {
    return Command.of(
            Jvm.program(),
            "-Xshare:dump",
            // Classes that cannot be archived, such as those of signed jars, are loaded as always.
            "-Xlog:cds=error",
            "-XX:SharedClassListFile=" + list,
            option(),
            "-cp",
            classPath())
        .named("java -Xshare:dump")
        .withOnly(Map.of())
        .within(LONGEST_DUMP);
  }

  private static String reason(Command.Outcome outcome) {
    return outcome.complaint().lines().limit(5).collect(Collectors.joining("\n"));
  }

  private List<String> allJars() {
    return hadoop.jars().stream().map(Path::toString).toList();
  }
}
