package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;

final class DownloadTest {

  /** Whoever asks for the end of a download while it ends comes too late. */
  private static final class Impatient implements Download.Owner {
    private int ends;

    @Override
    public void connect(Download download, Introduction to) {}

    @Override
    public void fruitful() {}

    @Override
    public void readPlainly(Download download) {}

    @Override
    public Replica replica(DatanodeID holder, ExtendedBlock block) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void ended(Download download, boolean whole, boolean fruitless) {
      ends++;
      if (ends == 1) {
        download.fail("its disk is still full");
      }
    }
  }

  @Test
  void endsOnceHoweverOftenItFails() throws Exception {
    Impatient owner = new Impatient();
    try (BroadcastMetrics metrics = new BroadcastMetrics()) {
      Download download =
          new Download(
              new IncomingBlocks(
                  new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of(10L), 5), Map.of()),
              "alice",
              JoinResponseProto.newBuilder().setPath("/file").build(),
              BroadcastConfig.from(new Configuration(false)),
              owner,
              metrics,
              new Random(1));
      download.fail("its disk is full");
      assertThat(owner.ends).isEqualTo(1);
      assertThat(download.ended()).isTrue();
    }
  }
}
