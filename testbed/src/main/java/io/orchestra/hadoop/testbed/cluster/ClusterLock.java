package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** At most one command changes a thing at a time; the lock ends with the process that holds it. */
final class ClusterLock implements AutoCloseable {
  private final FileChannel channel;

  private ClusterLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock of a cluster, or fails at once. */
  static ClusterLock take(TestbedHome home, String cluster) {
    Path file = home.lockFile(cluster);
    FileChannel channel = open(file);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new TestbedException(
            "another orchestra command is working on cluster '" + cluster + "': wait for its end");
      }
      return new ClusterLock(channel);
    } catch (IOException e) {
      throw new TestbedException("cannot lock " + file + ": " + e.getMessage(), e);
    }
  }

  /** Takes a lock, however long its holder keeps it. */
  static ClusterLock await(Path file) {
    FileChannel channel = open(file);
    try {
      channel.lock();
      return new ClusterLock(channel);
    } catch (IOException e) {
      throw new TestbedException("cannot lock " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
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
