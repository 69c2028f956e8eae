package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.RemoteReplica;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Replicas as one DataNode sees them. */
final class RemoteReplicas implements Replicas {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final DataNode datanode;

  RemoteReplicas(DataNode datanode) {
    this.datanode = datanode;
  }

  @Override
  public boolean isHere(BlockKey block) {
    // For any other pool it would make a lock, and keep it (DataSetLockManager.getReadLock).
    return datanode.isBPServiceAlive(block.pool())
        && datanode.getFSDataset().isValidBlock(block.extended(0));
  }

  @Override
  public Replica at(SourceProto source, BlockKey block, long length, OptionalInt localPort) {
    DatanodeID address =
        new DatanodeID(
            source.getAddress(),
            source.getHost(),
            source.getDatanodeUuid(),
            source.getTransferPort(),
            0,
            0,
            0);
    return new RemoteReplica(datanode, address, block.extended(length), TIMEOUT, localPort);
  }
}
