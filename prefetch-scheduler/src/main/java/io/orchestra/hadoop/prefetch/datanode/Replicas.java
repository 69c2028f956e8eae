package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** The replicas of other DataNodes, and of this one. */
interface Replicas {
  /** One replica, elsewhere. */
  interface Replica {
    /**
     * @throws IOException if there are none for such pieces
     */
    PieceSums sums(BlockPieces pieces) throws IOException;

    /** Its bytes from a position on. */
    Bytes open(long position) throws IOException;
  }

  /** Bytes in order. */
  interface Bytes extends Closeable {
    /**
     * @throws IOException if they do not come
     */
    void readFully(ByteBuffer target) throws IOException;
  }

  /** Whether this DataNode has a finished replica. */
  boolean isHere(BlockKey block);

  /**
   * Nothing is asked yet.
   *
   * @param localPort from which its bytes are to be asked for, if it matters
   */
  Replica at(SourceProto source, BlockKey block, long length, OptionalInt localPort);
}
