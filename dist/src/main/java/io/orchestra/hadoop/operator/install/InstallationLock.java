package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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

  /** What is in a file that has been removed; one that is there is empty. */
  private static final byte[] REMOVED = {1};

  private final Path file;

  /** Not only its channel: Java forgets locks that nobody refers to. */
  private final FileLock lock;

  private InstallationLock(Path file, FileLock lock) {
    this.file = file;
    this.lock = lock;
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
      Optional<FileLock> lock = attempt(file);
      if (lock.isPresent()) {
        AtomicFiles.permit(file, "rw-r--r--");
        return new InstallationLock(file, lock.get());
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

  /** The lock; empty if another command has it, or has removed the file meanwhile. */
  private static Optional<FileLock> attempt(Path file) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      // Whoever uninstalled has removed the directory.
      return Optional.empty();
    }
    Optional<FileLock> lock = Optional.empty();
    try {
      lock = lock(channel, file);
      return lock;
    } finally {
      if (lock.isEmpty()) {
        channel.close();
      }
    }
  }

  /**
   * Locks a file that may have been removed since it was opened. Nothing but the open file itself
   * can tell: its name may lead to another by now, which another command has locked.
   *
   * @return empty if another command has it locked, or has removed it; then it is to be closed
   */
  static Optional<FileLock> lock(FileChannel channel, Path file) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null && channel.size() == 0 ? Optional.of(lock) : Optional.empty();
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new OperatorException(
          "%s cannot be locked: %s".formatted(file, e.getMessage()),
          "mount its file system with locks, or run this on the host that has the disk",
          e);
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for another command");
    }
  }

  /**
   * Takes the file away; the lock is held until it is closed. Commands that have opened the file
   * and get its lock then see a byte in it, and open the next.
   */
  void removeFile() throws IOException {
    boolean unused = Files.deleteIfExists(file);
    int unusedCount = lock.channel().write(ByteBuffer.wrap(REMOVED));
  }

  @Override
  public void close() throws IOException {
    lock.channel().close();
  }
}
