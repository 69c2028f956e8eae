package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.files.FileTree;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The jar that this command runs from, and the libraries in {@code lib} beside it. */
public final class CommandJars {
  private CommandJars() {}

  /** The jar; tests of one module may run from a directory of classes. */
  public static Path own() {
    try {
      return Path.of(CommandJars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Copies them to a directory that everybody may read; nothing if there is no jar. */
  static void copy(Path target) {
    Path jar = own();
    if (Files.isRegularFile(jar)) {
      FileTree.copy(jar, target.resolve(jar.getFileName()));
      Path libraries = jar.resolveSibling("lib");
      if (Files.isDirectory(libraries)) {
        Path copies = FileTree.directory(target.resolve("lib"));
        for (Path library : FileTree.list(libraries)) {
          FileTree.copy(library, copies.resolve(library.getFileName()));
        }
      }
    }
  }
}
