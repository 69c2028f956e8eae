package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** What a coordinator orders of daemons under test. */
final class Orders {
  private static final String BAD = "bad";

  private Orders() {}

  /** Of a user called {@code user} with a good token, for in a second, from nobody yet. */
  static StartProto.Builder order(long flow, BlockKey block, long length) {
    return StartProto.newBuilder()
        .setFlow(flow)
        .setBlock(
            BlockProto.newBuilder()
                .setPool(block.pool())
                .setId(block.id())
                .setGenerationStamp(block.generationStamp())
                .setLength(length))
        .setToken(token("good"))
        .setUser("user")
        .setRate(0)
        .setMillisToDeadline(1000);
  }

  static SourceProto source(String host) {
    return SourceProto.newBuilder()
        .setDatanodeUuid(host)
        .setHost(host)
        .setAddress("127.0.0.1")
        .setTransferPort(1)
        .build();
  }

  /** A token that {@link FakeHost} refuses. */
  static ByteString badToken() {
    return token(BAD);
  }

  static boolean isBad(Token<BlockTokenIdentifier> token) {
    return new String(token.getPassword(), StandardCharsets.UTF_8).equals(BAD);
  }

  private static ByteString token(String password) {
    byte[] secret = password.getBytes(StandardCharsets.UTF_8);
    DataOutputBuffer bytes = new DataOutputBuffer();
    try {
      new Token<BlockTokenIdentifier>(new byte[0], secret, new Text(), new Text()).write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.getData(), 0, bytes.getLength());
  }
}
