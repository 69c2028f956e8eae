package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
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

    private boolean hasThreads = true;
    private int connections;

    @Override
    public void connect(Download download, Introduction to) {
      if (!hasThreads) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      connections++;
    }

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
    new BriefNeighbour("a DataNode", Role.RECEIVER).refuse(download);
    assertThat(endsFruitless()).isFalse();
  }

  @Test
  void isFruitlessIfANeighbourHasPromisedSomethingAndSentNothing() throws IOException {
    new BriefNeighbour("a DataNode", Role.RECEIVER)
        .answer(download, HelloResponseProto.getDefaultInstance());
    assertThat(endsFruitless()).isTrue();
  }

  @Test
  void aNeighbourForWhomThereIsNoThreadIsTriedAgain() {
    Introduction neighbour = new BriefNeighbour("a DataNode", Role.RECEIVER).introduction();
    owner.hasThreads = false;
    assertThatThrownBy(() -> download.introduce(neighbour)).isInstanceOf(OutOfMemoryError.class);

    owner.hasThreads = true;
    download.introduce(neighbour);
    assertThat(owner.connections).isEqualTo(1);
  }

  private boolean endsFruitless() {
    download.fail("it takes too long");
    return owner.ends.get(0);
  }
}
