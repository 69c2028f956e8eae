package io.orchestra.hadoop.integration;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Somebody who speaks to a block cache, and is none of ours. */
public final class CacheStranger implements Closeable {
  private final SocketChannel channel;
  private final InputStream in;

  private CacheStranger(Path socket, byte[] said) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    in = Channels.newInputStream(channel);
    Channels.newOutputStream(channel).write(said);
    channel.shutdownOutput();
  }

  /**
   * Asks for a block, and for nothing of it.
   *
   * @param path that the block is said to be of
   */
  public static CacheStranger asking(
      Path socket, ExtendedBlock block, ByteString token, String path, OpenProto.Purpose purpose)
      throws IOException {
    return new CacheStranger(socket, question(block, token, path, purpose).toByteArray());
  }

  /** Asks for its first piece at once, whatever the answer will be. */
  public static CacheStranger insisting(
      Path socket, ExtendedBlock block, ByteString token, String path, OpenProto.Purpose purpose)
      throws IOException {
    ByteArrayOutputStream said = question(block, token, path, purpose);
    ReadPieceProto.newBuilder().setPiece(0).build().writeDelimitedTo(said);
    return new CacheStranger(socket, said.toByteArray());
  }

  private static ByteArrayOutputStream question(
      ExtendedBlock block, ByteString token, String path, OpenProto.Purpose purpose)
      throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    OpenProto.newBuilder()
        .setBlockPool(block.getBlockPoolId())
        .setBlockId(block.getBlockId())
        .setGenerationStamp(block.getGenerationStamp())
        .setVisibleLength(block.getNumBytes())
        .setToken(token)
        .setPath(path)
        .setPurpose(purpose)
        .build()
        .writeDelimitedTo(said);
    return said;
  }

  /** What the cache says first. */
  public OpenResponseProto answer() throws IOException {
    OpenResponseProto answer;
    do {
      answer = OpenResponseProto.parseDelimitedFrom(in);
    } while (answer.getStillWaiting());
    return answer;
  }

  /** How many bytes come after the answer, until the cache leaves. */
  public long rest() {
    byte[] some = new byte[64 << 10];
    long bytes = 0;
    try {
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        bytes += read;
      }
    } catch (IOException e) {
      // It has left without listening to all.
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
