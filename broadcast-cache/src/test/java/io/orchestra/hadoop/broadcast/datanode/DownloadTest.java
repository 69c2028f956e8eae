package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DownloadTest {
  private final Impatient owner = new Impatient();
  private final BroadcastMetrics metrics = new BroadcastMetrics();
  private Download download;

  /** Whoever asks for the end of a download while it ends comes too late. */
  private static final class Impatient extends IdleOwner {
    /** Of each end, whether it was fruitless. */
    private final List<Boolean> ends = new ArrayList<>();

    @Override
    public void ended(Download download, boolean whole, boolean fruitless) {
      ends.add(fruitless);
      if (ends.size() == 1) {
        download.fail("its disk is still full");
      }
    }
  }

  @BeforeEach
  void begin() throws Exception {
    download =
        new Download(
            new IncomingBlocks(
                new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of(10L), 5), Map.of()),
            "alice",
            JoinResponseProto.newBuilder().setPath("/file").build(),
            BroadcastConfig.from(new Configuration(false)),
            owner,
            metrics,
            new Random(1));
  }

  @AfterEach
  void end() {
    download.close();
    metrics.close();
  }

  @Test
  void endsOnceHoweverOftenItFails() {
    download.fail("its disk is full");
    assertThat(owner.ends).hasSize(1);
    assertThat(download.ended()).isTrue();
  }

  @Test
  void isFruitlessAsLongAsNoNeighbourHasSentAPiece() {
    download.progress().corrupt();
    assertThat(endsFruitless()).isTrue();
  }

  @Test
  void isFruitlessAlsoIfReplicasWereReadMeanwhile() {
    download.progress().read(5, 1, System.nanoTime());
    assertThat(endsFruitless()).isTrue();
  }

  @Test
  void isNotFruitlessOnceANeighbourHasSentAPiece() {
    download
        .progress()
        .received("a DataNode", false, new DownloadProgress.Transfer(5, 1), 1, System.nanoTime());
    assertThat(endsFruitless()).isFalse();
  }

  /** It is there, and can be reached. */
  @Test
  void isNotFruitlessIfANeighbourHasSaidThatItHasNothing() throws IOException {
    answered(HelloResponseProto.newBuilder().setRefused("nothing here").build());
    assertThat(endsFruitless()).isFalse();
  }

  @Test
  void isFruitlessIfANeighbourHasPromisedSomethingAndSentNothing() throws IOException {
    answered(HelloResponseProto.getDefaultInstance());
    assertThat(endsFruitless()).isTrue();
  }

  /** A neighbour comes, answers, and leaves. */
  private void answered(HelloResponseProto answer) throws IOException {
    HelloProto hello =
        HelloProto.newBuilder()
            .setDatanodeUuid("this one")
            .setBlockPool("pool")
            .setPieceLength(5)
            .setMutual(false)
            .build();
    Introduction introduction =
        new Introduction(
            new PeerAddress("a DataNode", "localhost", 8121),
            true,
            Role.RECEIVER,
            ImmutableSet.of());
    try (PlainConnection connection = PlainConnection.open()) {
      NeighbourConnection neighbour =
          new NeighbourConnection(
              introduction, connection.streams(), download.layout(), download.buffers());
      answer.writeDelimitedTo(connection.other().getOutputStream());
      connection.other().shutdownOutput();
      assertThat(download.acquaintances().connected(neighbour)).isTrue();
      neighbour.run(hello, download);
      download.left(neighbour);
    }
  }

  private boolean endsFruitless() {
    download.fail("it takes too long");
    return owner.ends.get(0);
  }
}
