package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.integration.ShownTokens;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who keeps a peer busy with nothing is left, and its place is for others. */
final class SlowReceiversIT {
  private static final int PIECE = 64 << 10;

  /** More than the buffers of two sockets hold. */
  private static final int PIECES = 256;

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static BroadcastCluster cluster;
  private static byte[] content;
  private static ExtendedBlock block;
  private static ByteString token;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = BroadcastCluster.configuration();
    conf.setInt("dfs.blocksize", PIECES * PIECE);
    conf.set("orchestra.broadcast.stall-timeout", "1s");
    conf.set("orchestra.broadcast.upload-slots", "1");
    conf.set("orchestra.broadcast.upload-connections", "1");
    cluster = BroadcastCluster.start(conf, 1);
    content = cluster.write("/file", PIECES * PIECE, 1);
    LocatedBlock first = cluster.firstBlock("/file");
    block = first.getBlock();
    token = ShownTokens.of(first);
    port = cluster.peerPorts().get(0);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void whoTakesNothingIsLeft() throws IOException {
    try (Socket socket =
        await().atMost(LONGEST).until(SlowReceiversIT::greeted, Objects::nonNull)) {
      WishProto.newBuilder()
          .addAllWanted(IntStream.range(0, PIECES).boxed().toList())
          .build()
          .writeDelimitedTo(socket.getOutputStream());
      await().atMost(LONGEST).until(() -> isLeft(socket, 0));
    }
    assertOthersAreServed();
  }

  @Test
  void whoTakesForEverToSayWhatHeWantsIsLeft() throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      // A message of so many bytes follows, one at a time.
      int length = 120;
      socket.getOutputStream().write(length);
      await().atMost(LONGEST).pollInterval(LONGEST.dividedBy(100)).until(() -> isLeft(socket, 1));
    }
    assertOthersAreServed();
  }

  /**
   * A connection that takes little at once.
   *
   * @return null while there is no place: the one of a test before is free a little after it ended
   */
  private static Socket greeted() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setReceiveBufferSize(PIECE);
      socket.connect(new InetSocketAddress("localhost", port));
      Stranger.greeting(block, token).writeDelimitedTo(socket.getOutputStream());
      HelloResponseProto answer = HelloResponseProto.parseDelimitedFrom(socket.getInputStream());
      if (answer != null && answer.getHas().size() == PIECES / Byte.SIZE) {
        return socket;
      }
    } catch (IOException e) {
      // It was closed at once.
    }
    socket.close();
    return null;
  }

  /**
   * @param said a byte that is told, as a message that is empty or a part of one
   */
  private static boolean isLeft(Socket socket, int said) {
    try {
      socket.getOutputStream().write(said);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static void assertOthersAreServed() {
    byte[] first = Arrays.copyOf(content, PIECE);
    // The connection ends a little before its place is free.
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(Stranger.firstPiece(port, block, token)).isEqualTo(first));
  }
}
