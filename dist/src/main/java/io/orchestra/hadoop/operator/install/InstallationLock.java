package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Held by the one command that changes an installation, among those of all hosts that share the
 * home. The operating system's, so it ends with the program that holds it.
 */
final class InstallationLock implements AutoCloseable {
  /** Each of many hosts that share a home takes some seconds. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String NAME = ".lock";
  private static final int PAUSE_MILLIS = 100;

  private final Path file;
  private final FileChannel channel;

  private InstallationLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Waits until no other command holds it. Makes the installation's directory if there is none.
   *
   * @throws OperatorException if another command still holds it after {@code patience}
   */
  static InstallationLock take(Installation installation, Duration patience) throws IOException {
    Path file = installation.base().resolve(NAME);
    long start = System.nanoTime();
    while (true) {
      AtomicFiles.directory(installation.base());
      Optional<FileChannel> channel = attempt(file);
      if (channel.isPresent()) {
        AtomicFiles.permit(file, "rw-r--r--");
        return new InstallationLock(file, channel.get());
      }
      if (System.nanoTime() - start >= patience.toNanos()) {
        throw new OperatorException(
            "another command is changing %s, on this host or on one that shares it, and has not ended within %d s"
                .formatted(installation.base(), patience.toSeconds()),
            "run this again when it has ended; it holds %s".formatted(file));
      }
      pause();
    }
  }

  /** The locked file; empty if another command has locked or removed it. */
  private static Optional<FileChannel> attempt(Path file) throws IOException {
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      Object key = key(file);
      // Whoever uninstalls removes the file: a lock on what is not there any more keeps nobody out.
      taken = isLocked(channel, file) && Objects.equals(key, key(file));
      return taken ? Optional.of(channel) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } finally {
      if (channel != null && !taken) {
        channel.close();
      }
    }
  }

  private static boolean isLocked(FileChannel channel, Path file) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      throw new OperatorException(
          "%s cannot be locked: %s".formatted(file, e.getMessage()),
          "mount its file system with locks, or run this on the host that has the disk",
          e);
    }
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for another command");
    }
  }

  /** Takes the file away; the lock is held until it is closed. */
  void removeFile() throws IOException {
    boolean unused = Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
