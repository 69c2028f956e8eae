package io.orchestra.hadoop.operator.install;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Changes that others see whole or not at all. Everybody may read what is made here, whatever the
 * umask: daemons and containers run as other users than the one who installs.
 */
final class AtomicFiles {
  /** What the name of a link begins with until it is in its place. */
  static final String LINK = ".orchestra-link-";

  private AtomicFiles() {}

  /** Puts a text file in the place of what has that name, if anything does. */
  static void write(Path file, String text) throws IOException {
    Path work = Files.createTempFile(file.getParent(), ".orchestra-", ".tmp");
    try {
      Files.writeString(work, text);
      permit(work, "rw-r--r--");
      Files.move(work, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      boolean unused = Files.deleteIfExists(work);
    }
  }

  /** Makes a name a link to something, whatever link it was before. */
  static void link(Path name, String to) throws IOException {
    Path work = name.resolveSibling(LINK + ProcessHandle.current().pid());
    boolean unused = Files.deleteIfExists(work);
    Files.createSymbolicLink(work, Path.of(to));
    Files.move(work, name, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Makes a directory that everybody may enter, and those above it. */
  static void directory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      directory(directory.getParent());
      try {
        Files.createDirectory(directory);
        permit(directory, "rwxr-xr-x");
      } catch (FileAlreadyExistsException e) {
        // Another command was faster, or it is no directory.
        if (!Files.isDirectory(directory)) {
          throw e;
        }
      }
    }
  }

  /** Copies files, named relative to a directory, to another. */
  static void copy(Iterable<String> names, Path from, Path to) throws IOException {
    for (String name : names) {
      Path target = to.resolve(name);
      directory(target.getParent());
      Files.copy(from.resolve(name), target);
      permit(target, name.startsWith("bin/") ? "rwxr-xr-x" : "rw-r--r--");
    }
  }

  static void permit(Path path, String permissions) throws IOException {
    Path unused = Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
