package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.RemoteReplica;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.hadoop.hdfs.BlockReader;
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
    return datanode.getFSDataset().isValidBlock(block.extended(0));
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
    RemoteReplica replica =
        new RemoteReplica(datanode, address, block.extended(length), TIMEOUT, localPort);
    return new Replica() {
      @Override
      public PieceSums sums(BlockPieces pieces) throws IOException {
        return replica.sums(pieces);
      }

      @Override
      public Bytes open(long position) throws IOException {
        return new ReaderBytes(replica.open(position));
      }
    };
  }

  private record ReaderBytes(BlockReader reader) implements Bytes {
    @Override
    public void readFully(ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        if (reader.read(target) < 0) {
          throw new EOFException("a replica is %d bytes too short".formatted(target.remaining()));
        }
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
