package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.util.OptionalInt;

/** The replicas of other DataNodes, and of this one. */
interface Replicas {
  /** Whether this DataNode has a finished replica. */
  boolean isHere(BlockKey block);

  /**
   * Nothing is asked yet.
   *
   * @param localPort from which its bytes are to be asked for, if it matters
   */
  Replica at(SourceProto source, BlockKey block, long length, OptionalInt localPort);
}
