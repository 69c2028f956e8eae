package org.apache.hadoop.hdfs.server.datanode;

import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a DataNode's connections are doing. */
public final class DataXceivers {
  private DataXceivers() {}

  /**
   * The name of each connection's thread, which says who is at the other end and what is being done
   * (DataXceiver.updateCurrentThreadName).
   */
  public static Stream<String> names(DataNode datanode) {
    // Threads that start meanwhile are left out, as enumerate ends with the array.
    Thread[] threads = new Thread[datanode.threadGroup.activeCount() + 16];
    int count = datanode.threadGroup.enumerate(threads);
    return Arrays.stream(threads, 0, count).filter(Objects::nonNull).map(Thread::getName);
  }

  /** How much of a block is here, finished or not, bytes; empty if there is no such replica. */
  @SuppressWarnings("deprecation") // Nothing else gives a replica that is being written.
  public static OptionalLong length(DataNode datanode, String blockPool, long block) {
    // For any other pool it would make a lock, and keep it (DataSetLockManager.getReadLock).
    if (!datanode.isBPServiceAlive(blockPool)) {
      return OptionalLong.empty();
    }
    Replica replica = datanode.getFSDataset().getReplica(blockPool, block);
    return replica == null ? OptionalLong.empty() : OptionalLong.of(replica.getNumBytes());
  }
}
