package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.core.blockcache.RemoteReplica;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * How a peer asks another for a file: with a token for each block. DataNodes trust each other with
 * every block, and make tokens themselves, as they do for replication.
 */
final class BlockHello {
  private final DataNode datanode;

  BlockHello(DataNode datanode) {
    this.datanode = datanode;
  }

  /**
   * @param mutual whether the other one may ask back
   */
  HelloProto of(FileLayout layout, boolean mutual) throws IOException {
    HelloProto.Builder hello =
        HelloProto.newBuilder()
            .setDatanodeUuid(datanode.getDatanodeUuid())
            .setBlockPool(layout.name().pool())
            .setPieceLength(layout.pieceLength())
            .setMutual(mutual);
    for (int block = 0; block < layout.blocks(); block++) {
      BlockKey key = layout.key(block);
      ExtendedBlock extended = layout.extended(block);
      hello.addBlocks(
          OfferedBlockProto.newBuilder()
              .setId(key.id())
              .setGenerationStamp(key.generationStamp())
              .setLength(extended.getNumBytes())
              .setToken(BlockTokens.write(RemoteReplica.token(datanode, extended))));
    }
    return hello.build();
  }
}
