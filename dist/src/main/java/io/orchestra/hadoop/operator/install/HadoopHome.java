package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Hadoop on disk, laid out as the release archive is.
 *
 * @param root absolute, as the operator named it: symbolic links in it stay
 * @param version such as {@code 3.5.0}
 */
public record HadoopHome(Path root, String version) {
  /** What our tests run on. */
  public static final List<String> TESTED = List.of("3.5.0", "3.4.2");

  private static final Pattern COMMON = Pattern.compile("hadoop-common-(\\d[\\w.\\-]*?)\\.jar");
  private static final Pattern SUPPORTED = Pattern.compile("3\\.[45]\\.\\d.*");

  /**
   * @throws OperatorException if it is no Hadoop home, or one whose version our classes do not fit
   */
  public static HadoopHome open(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    List<String> versions = versions(root);
    if (versions.isEmpty()) {
      throw new OperatorException(
          root + " is not a Hadoop home: it has no share/hadoop/common/hadoop-common jar",
          "name the directory that has bin, libexec and share, with --hadoop-home");
    }
    if (versions.size() > 1) {
      throw new OperatorException(
          "%s has jars of hadoop-common of several versions: %s"
              .formatted(root, String.join(", ", versions)),
          "keep the jars of one version in share/hadoop, and no others: daemons take whichever come first");
    }
    String version = versions.get(0);
    if (!Files.isDirectory(root.resolve("libexec"))) {
      throw new OperatorException(
          root + " is not a complete Hadoop home: it has no libexec",
          "name a home with the scripts of a release; one with jars alone has no class paths to add to");
    }
    requireNoWhiteSpace(root);
    requireNoWhiteSpace(resolved(root));
    if (!SUPPORTED.matcher(version).matches()) {
      throw new OperatorException(
          "%s is Hadoop %s, for which Orchestra is not made".formatted(root, version),
          "use Hadoop 3.4 or 3.5; the tested versions are " + String.join(" and ", TESTED));
    }
    return new HadoopHome(root, version);
  }

  /**
   * A home whose installation is to be removed: also one that nothing could be installed in any
   * more.
   */
  public static HadoopHome openToRemove(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    return new Installation(new HadoopHome(root, "")).isPresent()
        ? new HadoopHome(root, String.join(" and ", versions(root)))
        : open(directory);
  }

  private static void requireNoWhiteSpace(Path path) {
    if (path.toString().chars().anyMatch(Character::isWhitespace)) {
      throw new OperatorException(
          "the path of %s has white space in it, with which Hadoop's own scripts find neither our jars nor most of Hadoop's"
              .formatted(path),
          "move it to a path without white space; a link is not enough, since the scripts follow it");
    }
  }

  private static Path resolved(Path root) {
    try {
      return root.toRealPath();
    } catch (IOException e) {
      throw new OperatorException(
          "cannot follow links in %s: %s".formatted(root, e.getMessage()),
          "run this as a user who may read it",
          e);
    }
  }

  private static List<String> versions(Path root) {
    Path common = root.resolve("share/hadoop/common");
    if (!Files.isDirectory(common)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(common)) {
      return files
          .map(file -> COMMON.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .filter(version -> !version.endsWith("-tests") && !version.endsWith("-sources"))
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new OperatorException(
          "cannot list " + common + ": " + e.getMessage(), "run this as a user who may read it", e);
    }
  }

  /** Whether our tests run on this very version. */
  public boolean tested() {
    return TESTED.contains(version);
  }

  /** Where Hadoop's scripts look for configuration unless they are told otherwise. */
  public Path defaultConfiguration() {
    Path old = root.resolve("conf");
    return Files.exists(old.resolve("hadoop-env.sh")) ? old : root.resolve("etc/hadoop");
  }

  Path profiles() {
    return root.resolve("libexec/shellprofile.d");
  }
}
