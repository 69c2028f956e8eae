package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;

/**
 * Asks the NameNode as a client with the NameNode's own rights would. Whether a reader may read is
 * decided by its block tokens, not here.
 */
final class NameNodeLookup implements FileLookup {
  private final NameNode namenode;
  private final ExecutorService threads;

  /**
   * @param threads that no RPC call runs on: there the caller would be the DataNode that asked
   */
  NameNodeLookup(NameNode namenode, ExecutorService threads) {
    this.namenode = namenode;
    this.threads = threads;
  }

  @Override
  public TrackedFile find(String path, BlockKey block) throws Unsuitable, IOException {
    LocatedBlocks located = locate(path);
    if (located == null
        || located.getLocatedBlocks().stream()
            .noneMatch(own -> BlockKey.of(own.getBlock()).equals(block))) {
      throw new Unsuitable("the file has changed");
    }
    if (located.isUnderConstruction() || !located.isLastBlockComplete()) {
      throw new Unsuitable("the file is being written");
    }
    if (located.getErasureCodingPolicy() != null) {
      throw new Unsuitable("the file is erasure-coded");
    }
    List<TrackedFile.TrackedBlock> blocks = new ArrayList<>();
    for (LocatedBlock own : located.getLocatedBlocks()) {
      blocks.add(
          new TrackedFile.TrackedBlock(
              BlockKey.of(own.getBlock()),
              own.getBlockSize(),
              Arrays.stream(own.getLocations())
                  .map(DatanodeInfo::getDatanodeUuid)
                  .collect(ImmutableSet.toImmutableSet())));
    }
    return new TrackedFile(path, blocks);
  }

  private LocatedBlocks locate(String path) throws Unsuitable, IOException {
    try {
      return threads
          .submit(() -> namenode.getRpcServer().getBlockLocations(path, 0, Long.MAX_VALUE))
          .get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FileNotFoundException
          || e.getCause() instanceof AccessControlException) {
        throw new Unsuitable("the file has changed");
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
