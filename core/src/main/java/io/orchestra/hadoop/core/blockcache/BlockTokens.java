package io.orchestra.hadoop.core.blockcache;

import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Block tokens as bytes. */
public final class BlockTokens {
  private BlockTokens() {}

  /** As {@link Token#write} writes it. */
  public static ByteString write(Token<BlockTokenIdentifier> token) throws IOException {
    DataOutputBuffer bytes = new DataOutputBuffer();
    token.write(bytes);
    return ByteString.copyFrom(bytes.getData(), 0, bytes.getLength());
  }

  /**
   * Of bytes that come from anybody who connects: {@link Token#readFields} would believe any length
   * that is written there, and make room for it.
   *
   * @param bytes as {@link Token#write} writes them
   * @throws IOException if this is no token; one that is returned may still be forged
   */
  public static Token<BlockTokenIdentifier> read(ByteString bytes) throws IOException {
    DataInputStream in = new DataInputStream(bytes.newInput());
    return new Token<>(counted(in), counted(in), new Text(counted(in)), new Text(counted(in)));
  }

  private static byte[] counted(DataInputStream in) throws IOException {
    byte[] counted = new byte[WritableUtils.readVIntInRange(in, 0, in.available())];
    in.readFully(counted);
    return counted;
  }
}
