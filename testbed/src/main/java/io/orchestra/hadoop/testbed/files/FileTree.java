package io.orchestra.hadoop.testbed.files;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Files and directories whose readers are other users, and failures that name the path. */
public final class FileTree {
  private FileTree() {}

  /**
   * Makes a directory with exactly these permissions, and the missing ones above it so that all can
   * enter them. Those that exist stay as they are.
   */
  public static Path directory(Path path, String permissions) {
    if (Files.isDirectory(path)) {
      return path;
    }
    if (path.getParent() != null) {
      directory(path.getParent());
    }
    try {
      Files.createDirectory(path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    } catch (FileAlreadyExistsException e) {
      // Another process, such as a second cluster's, may have been first.
      if (!Files.isDirectory(path)) {
        throw failure("make the directory", path, e);
      }
    } catch (IOException e) {
      throw failure("make the directory", path, e);
    }
    return path;
  }

  /** Makes a directory that everybody may enter and read. */
  public static Path directory(Path path) {
    return directory(path, "rwxr-xr-x");
  }

  /**
   * Writes a file that everybody may read; readers see the old or the new content, never a part.
   */
  public static void write(Path path, String content) {
    Path temporary = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.writeString(temporary, content);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(
          temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failure("write", path, e);
    }
  }

  /** Copies a file so that everybody may read the copy. */
  public static void copy(Path source, Path target) {
    try {
      Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      throw failure("copy", source, e);
    }
  }

  public static void permit(Path path, String permissions) {
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    } catch (IOException e) {
      throw failure("change the permissions of", path, e);
    }
  }

  public static void own(Path path, int user, int group) {
    try {
      Files.setAttribute(path, "unix:uid", user);
      Files.setAttribute(path, "unix:gid", group);
    } catch (IOException e) {
      throw failure("change the owner of", path, e);
    }
  }

  /** The text of a file; bytes that are no UTF-8 are replaced. */
  public static String read(Path path) {
    try {
      return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw failure("read", path, e);
    }
  }

  /** What is in a directory, by name. */
  public static List<Path> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      throw failure("list", directory, e);
    }
  }

  /** What tells a directory from every other on this machine, whatever their paths are. */
  public static String identity(Path directory) {
    try {
      return Files.getAttribute(directory, "unix:dev")
          + ":"
          + Files.getAttribute(directory, "unix:ino");
    } catch (IOException e) {
      throw failure("look at", directory, e);
    }
  }

  /** Deletes a directory with all it holds, if it exists. */
  public static void delete(Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
    } catch (IOException e) {
      throw failure("delete", path, e);
    }
  }

  /** The messages of these exceptions often are no more than the path. */
  private static TestbedException failure(String what, Path path, IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return new TestbedException(
        "cannot %s %s: %s"
            .formatted(what, path, reason == null ? e.getClass().getSimpleName() : reason),
        e);
  }
}
