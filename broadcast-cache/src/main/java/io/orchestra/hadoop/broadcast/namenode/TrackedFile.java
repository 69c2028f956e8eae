package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.util.List;

/**
 * A file as HDFS knows it.
 *
 * @param path of the file
 * @param blocks in the file's order, at least one
 * @param holders DataNodes with replicas, by UUID
 */
record TrackedFile(
    String path, ImmutableList<TrackedBlock> blocks, ImmutableMap<String, Holder> holders) {

  /**
   * One block.
   *
   * @param length bytes
   * @param replicas UUIDs of the DataNodes that have it
   */
  record TrackedBlock(BlockKey key, long length, ImmutableSet<String> replicas) {}

  /**
   * Where HDFS's clients reach a DataNode.
   *
   * @param address and {@code hostName}: which of them is meant depends on the client's settings
   * @param rack network location
   */
  record Holder(String address, String hostName, int transferPort, String rack) {}

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
