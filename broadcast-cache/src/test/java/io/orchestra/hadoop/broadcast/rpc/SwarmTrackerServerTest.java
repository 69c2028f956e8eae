package io.orchestra.hadoop.broadcast.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SwarmTrackerServerTest {
  /** Of a connection of Hadoop's RPC, before the length of the first message. */
  private static final byte[] BEGINNING = {'h', 'r', 'p', 'c', 9, 0, 0};

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final int CACHED = 1024;
  private static final int UNDER_WAY = 32;
  private static final int SENDERS = 800;

  private final Configuration conf = new Configuration();
  private final List<AnnounceProto> announced = new CopyOnWriteArrayList<>();
  private ProtocolServer server;

  @BeforeEach
  void start() throws IOException {
    SwarmTrackerProtocol tracker =
        new SwarmTrackerProtocol() {
          @Override
          public JoinResponseProto join(JoinProto request) {
            return JoinResponseProto.getDefaultInstance();
          }

          @Override
          public AnnounceResponseProto announce(AnnounceProto request) {
            announced.add(request);
            return AnnounceResponseProto.getDefaultInstance();
          }
        };
    server = SwarmTrackerServer.start(conf, new InetSocketAddress("127.0.0.1", 0), 1, tracker);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theLongestAnnouncementArrives() throws IOException {
    AnnounceProto.Builder longest =
        AnnounceProto.newBuilder()
            .setSelf(PeerProto.newBuilder().setDatanodeUuid(uuid(0)).setPort(8121));
    for (int file = 0; file < CACHED; file++) {
      longest.addSwarms(swarm(file));
    }
    for (int file = 0; file < UNDER_WAY; file++) {
      SwarmProto.Builder swarm = swarm(CACHED + file);
      for (int sender = 0; sender < SENDERS; sender++) {
        swarm.addTransfers(
            TransferProto.newBuilder()
                .setFromUuid(uuid(sender))
                .setBytes(Long.MAX_VALUE)
                .setMillis(0.1));
      }
      longest.addSwarms(swarm);
    }
    AnnounceProto announcement = longest.build();
    try (SwarmTrackerClient client =
        new SwarmTrackerClient(
            conf, new InetSocketAddress("127.0.0.1", server.port()), Duration.ofSeconds(60))) {
      assertThat(client.announce(announcement).getUnknownCount()).isZero();
    }

    assertThat(announced).hasSize(1);
    assertThat(announced.get(0).equals(announcement)).isTrue();
  }

  private static SwarmProto.Builder swarm(int file) {
    return SwarmProto.newBuilder()
        .setBlockPool("BP-1234567890-255.255.255.255-1234567890123")
        .setFirstBlock(
            BlockProto.newBuilder()
                .setId(Long.MIN_VALUE + file)
                .setGenerationStamp(Long.MAX_VALUE)
                .setLength(Long.MAX_VALUE))
        .setPieces(Integer.MAX_VALUE)
        .setPresent(Integer.MAX_VALUE)
        .setBytesFromSeeds(Long.MAX_VALUE)
        .setBytesFromPeers(Long.MAX_VALUE)
        .setCorrupt(Integer.MAX_VALUE);
  }

  private static String uuid(int number) {
    return "%064d".formatted(number);
  }

  @Test
  void whoAnnouncesALongerMessageIsLeftAtOnce() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout((int) LONGEST_SILENCE.toMillis());
      ByteBuffer beginning = ByteBuffer.allocate(BEGINNING.length + Integer.BYTES);
      beginning.put(BEGINNING).putInt(SwarmTrackerServer.LONGEST_MESSAGE + 1);
      socket.getOutputStream().write(beginning.array());

      assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
    }
  }
}
