package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

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
              .setToken(serialized(token(extended))));
    }
    return hello.build();
  }

  /** For the handshake below. */
  Token<BlockTokenIdentifier> token(ExtendedBlock block) throws IOException {
    return datanode.getBlockAccessToken(
        block, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]);
  }

  private static ByteString serialized(Token<BlockTokenIdentifier> token) throws IOException {
    DataOutputBuffer bytes = new DataOutputBuffer();
    token.write(bytes);
    return ByteString.copyFrom(bytes.getData(), 0, bytes.getLength());
  }
}
