package io.orchestra.hadoop.core.blockcache;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * One state of one HDFS block: append, truncate and recovery change the generation stamp, so that
 * bytes under a key never change.
 *
 * @param pool id of the block pool
 * @param id of the block; negative for blocks of erasure-coded files
 */
public record BlockKey(String pool, long id, long generationStamp) {
  public static BlockKey of(ExtendedBlock block) {
    return new BlockKey(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
  }

  /**
   * @param length of the block, bytes
   */
  public ExtendedBlock extended(long length) {
    return new ExtendedBlock(pool, id, length, generationStamp);
  }

  /** A new JVM is slow to link what a record has of itself, and a map asks before it reads. */
  @Override
  public int hashCode() {
    return Long.hashCode(id) * 31 + Long.hashCode(generationStamp);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockKey key
        && id == key.id
        && generationStamp == key.generationStamp
        && pool.equals(key.pool);
  }

  @Override
  public String toString() {
    return "%s:blk_%d_%d".formatted(pool, id, generationStamp);
  }
}
