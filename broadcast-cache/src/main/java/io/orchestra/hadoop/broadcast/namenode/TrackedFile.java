package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/**
 * A file as HDFS knows it.
 *
 * @param path of the file
 * @param blocks in the file's order, at least one
 * @param datanodes those with replicas, by UUID
 */
record TrackedFile(
    String path, ImmutableList<TrackedBlock> blocks, ImmutableMap<String, DatanodeID> datanodes) {

  /**
   * One block.
   *
   * @param length bytes
   * @param replicas UUIDs of the DataNodes that have it
   */
  record TrackedBlock(BlockKey key, long length, ImmutableSet<String> replicas) {}

  BlockKey name() {
    return blocks.get(0).key();
  }

  /** Bytes. */
  long length() {
    return blocks.stream().mapToLong(TrackedBlock::length).sum();
  }

  /** The fewest replicas that any block has. */
  int replication() {
    return blocks.stream().mapToInt(block -> block.replicas().size()).min().orElse(0);
  }

  /** Whether the other one has the same bytes, wherever its replicas are. */
  boolean sameBlocks(TrackedFile other) {
    return keys().equals(other.keys());
  }

  private List<BlockKey> keys() {
    return blocks.stream().map(TrackedBlock::key).toList();
  }
}
