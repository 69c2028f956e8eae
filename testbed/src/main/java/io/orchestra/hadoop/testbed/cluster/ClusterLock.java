package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * At most one command changes a thing at a time; the lock ends with the process that holds it, and
 * cannot be taken twice, not even by that process.
 */
public final class ClusterLock implements AutoCloseable {
  private final FileChannel channel;

  private ClusterLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock of a cluster, or fails at once. */
  static ClusterLock take(TestbedHome home, String cluster) {
    return take(home.clusterLock(cluster), "working on cluster '" + cluster + "'");
  }

  /**
   * Takes a lock, or fails at once.
   *
   * @param what another command that has it is doing
   */
  public static ClusterLock take(Path file, String what) {
    ClusterLock lock = new ClusterLock(open(file));
    if (!locked(lock.channel)) {
      lock.close();
      throw new TestbedException("another orchestra command is " + what + ": wait for its end");
    }
    return lock;
  }

  /**
   * Takes a lock once its holder has given it back.
   *
   * @param what the holder is doing
   */
  static ClusterLock await(Path file, String what, int seconds) {
    FileChannel channel = open(file);
    Waiting.until(() -> locked(channel), "the end of another command that is " + what, seconds);
    return new ClusterLock(channel);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean locked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel open(Path file) {
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new TestbedException("cannot open " + file + ": " + e.getMessage(), e);
    }
  }
}
