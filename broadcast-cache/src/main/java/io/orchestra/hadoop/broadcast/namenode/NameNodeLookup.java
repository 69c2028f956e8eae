package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * Asks the NameNode's own tables, from a block to its file: no path that a client might make up is
 * looked at, and no access time changes. Whether a reader may read is decided by its block tokens,
 * not here.
 */
final class NameNodeLookup implements FileLookup {
  private final FSNamesystem namesystem;
  private final ExecutorService threads;
  private final Duration limit;

  /**
   * @param threads on which lookups wait for the namesystem's lock
   * @param limit of one lookup
   */
  NameNodeLookup(FSNamesystem namesystem, ExecutorService threads, Duration limit) {
    this.namesystem = namesystem;
    this.threads = threads;
    this.limit = limit;
  }

  @Override
  public TrackedFile find(BlockKey block) throws Unsuitable, IOException {
    Future<TrackedFile> lookup = threads.submit(() -> locked(block));
    try {
      return lookup.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Unsuitable reason) {
        throw reason;
      }
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      lookup.cancel(true);
      throw new IOException("the NameNode is busy", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private TrackedFile locked(BlockKey block) throws Unsuitable, InterruptedException {
    namesystem.readLockInterruptibly();
    try {
      return tracked(block);
    } finally {
      namesystem.readUnlock("orchestra-swarm-lookup");
    }
  }

  private TrackedFile tracked(BlockKey block) throws Unsuitable {
    BlockManager manager = namesystem.getBlockManager();
    BlockInfo stored = manager.getStoredBlock(new Block(block.id()));
    if (stored == null
        || stored.isDeleted()
        || stored.getGenerationStamp() != block.generationStamp()) {
      throw new Unsuitable("the file has changed", "");
    }
    INode inode = namesystem.getFSDirectory().getInode(stored.getBlockCollectionId());
    if (inode == null || !inode.isFile()) {
      throw new Unsuitable("the file has changed", "");
    }
    INodeFile file = inode.asFile();
    if (file.isUnderConstruction()) {
      throw new Unsuitable("the file is being written", file.getFullPathName());
    }
    if (file.isStriped()) {
      throw new Unsuitable("the file is erasure-coded", file.getFullPathName());
    }
    if (file.numBlocks() > BroadcastConfig.MOST_BLOCKS) {
      throw new Unsuitable("the file has too many blocks", file.getFullPathName());
    }
    if (!Arrays.asList(file.getBlocks()).contains(stored)) {
      // A snapshot has it, of a time before the file was truncated.
      throw new Unsuitable("the file has changed", file.getFullPathName());
    }
    ImmutableList.Builder<TrackedFile.TrackedBlock> blocks = ImmutableList.builder();
    Map<String, TrackedFile.Holder> holders = new HashMap<>();
    for (BlockInfo own : file.getBlocks()) {
      if (!own.isComplete()) {
        throw new Unsuitable("the file is being written", file.getFullPathName());
      }
      blocks.add(
          new TrackedFile.TrackedBlock(
              new BlockKey(block.pool(), own.getBlockId(), own.getGenerationStamp()),
              own.getNumBytes(),
              replicas(manager, own, holders)));
    }
    return new TrackedFile(file.getFullPathName(), blocks.build(), ImmutableMap.copyOf(holders));
  }

  /**
   * Those that HDFS's clients would be told of.
   *
   * @param holders to which those of this block are added
   */
  private static ImmutableSet<String> replicas(
      BlockManager manager, BlockInfo block, Map<String, TrackedFile.Holder> holders) {
    Collection<DatanodeDescriptor> corrupt = manager.getCorruptReplicas(block);
    ImmutableSet.Builder<String> replicas = ImmutableSet.builder();
    for (DatanodeStorageInfo storage : manager.getStorages(block)) {
      DatanodeDescriptor datanode = storage.getDatanodeDescriptor();
      boolean isGood =
          (corrupt == null || !corrupt.contains(datanode)) && !datanode.isInMaintenance();
      if (isGood) {
        replicas.add(datanode.getDatanodeUuid());
        holders.put(
            datanode.getDatanodeUuid(),
            new TrackedFile.Holder(
                datanode.getIpAddr(),
                datanode.getHostName(),
                datanode.getXferPort(),
                datanode.getNetworkLocation()));
      }
    }
    return replicas.build();
  }
}
