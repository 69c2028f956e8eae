package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What {@code orchestra-hadoop-<version>.tar.gz} holds, unpacked; an installation is a copy of it,
 * but for figures of benchmarks.
 *
 * @param root with the directories {@code jars}, {@code conf}, {@code lib}, {@code bin} and {@code
 *     docs}
 */
public record Release(Path root) {
  private static final String PROPERTY = "orchestra.release";

  /** All that the archive has at its top; what else is there, somebody has put beside it. */
  public static final List<String> ENTRIES =
      List.of("CONTRIBUTING.md", "LICENSE", "README.md", "bin", "conf", "docs", "jars", "lib");

  /** Far more than all the rest, and of no use to a host. */
  private static final Pattern ONLY_IN_ARCHIVE =
      Pattern.compile("docs/results/[^/]+/(result\\.json|plots/.*)");

  /** The one that the running command belongs to. */
  public static Release ofThisCommand() {
    String root = System.getProperty(PROPERTY);
    if (root == null) {
      throw new OperatorException(
          "-D%s is not set".formatted(PROPERTY), "start this with bin/orchestra");
    }
    return new Release(Path.of(root));
  }

  /** The name of the version, from the names of the jars. */
  public String version() {
    String name = jar(Role.CLIENT).getFileName().toString();
    return name.substring("orchestra-client-".length(), name.length() - ".jar".length());
  }

  /** The jar of a role. */
  public Path jar(Role role) {
    return find(root.resolve("jars"), "orchestra-" + role.roleName() + "-*.jar")
        .orElseThrow(
            () ->
                new OperatorException(
                    "%s has no jar for the role %s".formatted(root, role.roleName()),
                    "unpack orchestra-hadoop-<version>.tar.gz again"));
  }

  /**
   * What is to be installed of it.
   *
   * @throws OperatorException if it is an installed copy and no longer what was installed
   */
  FileList files() throws IOException {
    FileList present = FileList.of(root, ENTRIES, name -> !ONLY_IN_ARCHIVE.matcher(name).matches());
    if (!isInstalledCopy()) {
      return present;
    }
    List<String> different =
        Files.exists(root.resolve(FileList.NAME))
            ? present.differences(FileList.read(root))
            : List.of(FileList.NAME);
    if (!different.isEmpty()) {
      throw new OperatorException(
          "of the installed copy %s these files are not what was installed: %s"
              .formatted(root, String.join(", ", different)),
          "unpack orchestra-hadoop-<version>.tar.gz and run its bin/orchestra install");
    }
    return present;
  }

  private boolean isInstalledCopy() {
    return Files.exists(root.resolve(FileList.NAME))
        || Files.isSymbolicLink(root.resolve(Role.CLIENT.stableJarName()));
  }

  /** Site files with the properties that switch all plugins on. */
  public Path allSettings() {
    return root.resolve("conf/all");
  }

  private static Optional<Path> find(Path directory, String glob) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
      for (Path file : files) {
        return Optional.of(file);
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new OperatorException(
          "cannot list " + directory + ": " + e.getMessage(), "unpack the archive again", e);
    }
  }
}
