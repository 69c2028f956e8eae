package io.orchestra.hadoop.broadcast.upstream;

import io.orchestra.hadoop.core.blockcache.LocalReplicaAccessorBuilder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;

/**
 * {@link LocalReplicaAccessorBuilder}, its accessors counted. Named in {@code
 * dfs.client.replica.accessor.builder.classes}.
 */
public final class CountedAccessorBuilder extends ReplicaAccessorBuilder {
  private final ReplicaAccessorBuilder ours = new LocalReplicaAccessorBuilder();

  @Override
  public ReplicaAccessorBuilder setFileName(String name) {
    ours.setFileName(name);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setBlock(long id, String pool) {
    ours.setBlock(id, pool);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setGenerationStamp(long stamp) {
    ours.setGenerationStamp(stamp);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setVerifyChecksum(boolean verify) {
    ours.setVerifyChecksum(verify);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setClientName(String name) {
    ours.setClientName(name);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setAllowShortCircuitReads(boolean allow) {
    ours.setAllowShortCircuitReads(allow);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setVisibleLength(long length) {
    ours.setVisibleLength(length);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setConfiguration(Configuration conf) {
    ours.setConfiguration(conf);
    return this;
  }

  @Override
  public ReplicaAccessorBuilder setBlockAccessToken(byte[] token) {
    ours.setBlockAccessToken(token);
    return this;
  }

  @Override
  public ReplicaAccessor build() {
    ReplicaAccessor accessor = ours.build();
    if (accessor == null) {
      CacheReads.leftToHdfs();
      return null;
    }
    CacheReads.opened();
    return new CountedAccessor(accessor);
  }
}
