package io.orchestra.hadoop.core.blockcache;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/** Where files of cached blocks are made: a directory that only the DataNode's user can enter. */
final class CacheDirectory {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> PRIVATE_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Part of its disk that is left to others, and the most of it. */
  private static final int RESERVED_PART = 20;

  private static final long LARGEST_RESERVE = 1L << 30;

  private final Path path;
  private final LongSupplier free;
  private final long user = UserIds.thisProcess();

  CacheDirectory(Path path) {
    this(path, () -> free(path.toAbsolutePath()));
  }

  /**
   * @param free bytes its disk can take
   */
  CacheDirectory(Path path, LongSupplier free) {
    this.path = path.toAbsolutePath();
    this.free = free;
  }

  private static long free(Path directory) {
    File disk = directory.toFile();
    // Of what is not there, no disk is known.
    while (!disk.exists() && disk.getParentFile() != null) {
      disk = disk.getParentFile();
    }
    return disk.getUsableSpace() - reserve(disk.getTotalSpace());
  }

  /**
   * What the cache leaves free.
   *
   * @param total size of the disk, bytes
   */
  static long reserve(long total) {
    return Math.min(LARGEST_RESERVE, total / RESERVED_PART);
  }

  /** Bytes that may be written here before only the reserve is left. */
  long free() {
    return free.getAsLong();
  }

  /**
   * Makes the directory if it is not there, or not any more, and private if it is not.
   *
   * @throws IOException if it cannot be made or belongs to somebody else; the message has the
   *     remedy
   */
  void make() throws IOException {
    if (Files.notExists(path, NOFOLLOW_LINKS)) {
      // In JDK 17 createDirectories refuses a link to a directory.
      if (!Files.isDirectory(path.getParent())) {
        Files.createDirectories(path.getParent());
      }
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
    }
    PosixFileAttributes found =
        Files.readAttributes(path, PosixFileAttributes.class, NOFOLLOW_LINKS);
    if (!found.isDirectory() || UserIds.owner(path) != user) {
      throw new IOException(
          "%s is a %s of %s. Cached blocks need a directory of the DataNode's user: remove it, or set %sdirectory"
              .formatted(path, kind(found), found.owner(), BlockCacheConfig.PREFIX));
    }
    if (!found.permissions().equals(PRIVATE)) {
      Files.setPosixFilePermissions(path, PRIVATE);
    }
  }

  private static String kind(PosixFileAttributes found) {
    if (found.isSymbolicLink()) {
      return "symbolic link";
    }
    return found.isDirectory() ? "directory" : "file";
  }

  /** A file that has no name. */
  FileChannel newFile() throws IOException {
    Path name = path.resolve(UUID.randomUUID().toString());
    FileChannel file =
        FileChannel.open(
            name,
            Set.of(CREATE_NEW, READ, WRITE),
            PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
    try {
      Files.delete(name);
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
