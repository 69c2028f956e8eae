package io.orchestra.hadoop.broadcast.upstream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.ReplicaAccessor;

/** An accessor of ours, its reads counted in {@link CacheReads}. */
final class CountedAccessor extends ReplicaAccessor {
  private final ReplicaAccessor ours;

  CountedAccessor(ReplicaAccessor ours) {
    this.ours = ours;
  }

  @FunctionalInterface
  private interface Read {
    int run() throws IOException;
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    return counted(() -> ours.read(position, target, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer target) throws IOException {
    return counted(() -> ours.read(position, target));
  }

  private static int counted(Read read) throws IOException {
    try {
      int bytes = read.run();
      CacheReads.read(Math.max(0, bytes));
      return bytes;
    } catch (IOException e) {
      CacheReads.failed();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    ours.close();
  }

  @Override
  public boolean isLocal() {
    return ours.isLocal();
  }

  @Override
  public boolean isShortCircuit() {
    return ours.isShortCircuit();
  }

  @Override
  public int getNetworkDistance() {
    return ours.getNetworkDistance();
  }
}
