package io.orchestra.hadoop.integration.broadcast;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.OfferedBlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.PieceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.integration.CacheStranger;
import io.orchestra.hadoop.integration.ShownTokens;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Somebody who speaks to peers, and is none of ours. */
final class Stranger {
  private static final int PIECE = 64 << 10;
  private static final int PATIENCE_MILLIS = 20_000;

  private Stranger() {}

  /** Asks a peer on this host. */
  static HelloResponseProto hello(int port, ExtendedBlock block, ByteString token)
      throws IOException {
    return hello(port, greeting(block, token));
  }

  /** What somebody says first who wants a block. */
  static HelloProto greeting(ExtendedBlock block, ByteString token) {
    return empty(block)
        .addBlocks(
            OfferedBlockProto.newBuilder()
                .setId(block.getBlockId())
                .setGenerationStamp(block.getGenerationStamp())
                .setLength(block.getNumBytes())
                .setToken(token))
        .build();
  }

  /** Asks a peer on this host for the first piece of a block. */
  static byte[] firstPiece(int port, ExtendedBlock block, ByteString token) throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      greeting(block, token).writeDelimitedTo(socket.getOutputStream());
      HelloResponseProto welcome = HelloResponseProto.parseDelimitedFrom(socket.getInputStream());
      if (welcome.hasRefused()) {
        throw new IOException(welcome.getRefused());
      }
      WishProto.newBuilder().addWanted(0).build().writeDelimitedTo(socket.getOutputStream());
      PieceProto answer = PieceProto.parseDelimitedFrom(socket.getInputStream());
      if (!answer.hasPiece()) {
        throw new IOException("no piece: " + answer);
      }
      return socket.getInputStream().readNBytes(PIECE);
    }
  }

  /**
   * Takes a place among the receivers of a peer on this host, and asks for nothing.
   *
   * @return empty if there is none
   */
  static Optional<Socket> place(int port, LocatedBlock block) throws IOException {
    Socket socket = new Socket("localhost", port);
    greeting(block.getBlock(), ShownTokens.of(block)).writeDelimitedTo(socket.getOutputStream());
    HelloResponseProto answer = HelloResponseProto.parseDelimitedFrom(socket.getInputStream());
    if (answer != null && !answer.getHas().isEmpty()) {
      return Optional.of(socket);
    }
    socket.close();
    return Optional.empty();
  }

  /** A greeting that asks for nothing. */
  static HelloProto.Builder empty(ExtendedBlock block) {
    return HelloProto.newBuilder()
        .setDatanodeUuid("a stranger")
        .setBlockPool(block.getBlockPoolId())
        .setPieceLength(PIECE)
        .setMutual(false);
  }

  static HelloResponseProto hello(int port, HelloProto hello) throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      hello.writeDelimitedTo(socket.getOutputStream());
      return HelloResponseProto.parseDelimitedFrom(socket.getInputStream());
    }
  }

  /**
   * Why a peer on this host refuses somebody, who asks for the first piece all the same.
   *
   * @throws IOException if it does not refuse, or keeps the connection
   */
  static String refusal(int port, HelloProto hello) throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      hello.writeDelimitedTo(socket.getOutputStream());
      HelloResponseProto answer = HelloResponseProto.parseDelimitedFrom(socket.getInputStream());
      if (answer == null || !answer.hasRefused()) {
        throw new IOException("not refused: " + answer);
      }
      if (insist(socket) >= 0) {
        throw new IOException("refused, and answered all the same");
      }
      return answer.getRefused();
    }
  }

  /** The first byte that follows a wish; negative if the other side has left. */
  private static int insist(Socket socket) throws IOException {
    try {
      WishProto.newBuilder().addWanted(0).build().writeDelimitedTo(socket.getOutputStream());
      return socket.getInputStream().read();
    } catch (SocketException left) {
      return -1;
    }
  }

  /** Asks the block cache behind a socket for a file for all tasks. */
  static OpenResponseProto open(Path socket, ExtendedBlock block, ByteString token, String path)
      throws IOException {
    try (CacheStranger stranger =
        CacheStranger.asking(socket, block, token, path, OpenProto.Purpose.LOCALIZATION)) {
      return stranger.answer();
    }
  }
}
