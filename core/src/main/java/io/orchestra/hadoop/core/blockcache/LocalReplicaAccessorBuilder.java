package io.orchestra.hadoop.core.blockcache;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;

/**
 * Lets an unchanged HDFS client read a block from the block cache of its host. Named in {@code
 * dfs.client.replica.accessor.builder.classes}.
 *
 * <p>{@link #build} returns null, and the client reads from HDFS, for every read that is not a
 * localizer's, a map's of its input or of a chosen path, and after any trouble.
 */
public final class LocalReplicaAccessorBuilder extends ReplicaAccessorBuilder {
  private String fileName;
  private String blockPool;
  private long blockId;
  private long generationStamp;
  private long visibleLength;
  private byte[] token;
  private Configuration conf;

  @Override
  public ReplicaAccessorBuilder setFileName(String name) {
    fileName = name;
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setBlock(long id, String pool) {
    blockId = id;
    blockPool = pool;
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setGenerationStamp(long stamp) {
    generationStamp = stamp;
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setVerifyChecksum(boolean verify) {
    // The sums are verified whether the client asks or not.
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setClientName(String name) {
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setAllowShortCircuitReads(boolean allow) {
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setVisibleLength(long length) {
    visibleLength = length;
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setConfiguration(Configuration configuration) {
    conf = configuration;
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setBlockAccessToken(byte[] serialized) {
    token = serialized;
    return this;
  }

  @Override
  public ReplicaAccessor build() {
    // Blocks of erasure-coded files have negative ids: they are cells of a stripe.
    if (blockId < 0) {
      return null;
    }
    Optional<ReadRequest.Purpose> purpose = ReadPurpose.of(Thread.currentThread(), fileName, conf);
    if (purpose.isEmpty()) {
      return null;
    }
    BlockKey block = new BlockKey(blockPool, blockId, generationStamp);
    return LocalReplicaAccessor.open(conf, block, visibleLength, token, fileName, purpose.get())
        .orElse(null);
  }
}
