package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockHoldersProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.HolderProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of which two DataNodes have replicas, and nobody knows checksums yet. */
final class UnverifiableDownloadTest {
  private final FileLayout layout =
      new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of(10L), 5);
  private final BriefNeighbour one = new BriefNeighbour("one", Role.SEED);
  private final BriefNeighbour other = new BriefNeighbour("other", Role.SEED);
  private final Owner owner = new Owner();
  private final BroadcastMetrics metrics = new BroadcastMetrics();
  private TestBlocks cache;
  private Download download;
  private long begun;

  /** Reads replicas on the caller's thread. */
  private static final class Owner extends IdleOwner {
    private final List<String> asked = new ArrayList<>();
    private boolean haveSums;

    @Override
    public void readPlainly(Download download) {
      download.plainReads().run();
    }

    @Override
    public Replica replica(DatanodeID holder, ExtendedBlock block, Duration patience) {
      asked.add(holder.getDatanodeUuid());
      return new Replica() {
        @Override
        public void doubt(long position, long length) {}

        @Override
        public PieceSums sums(BlockPieces pieces) throws IOException {
          if (haveSums) {
            return new PieceSums(PieceSums.Kind.CRC32C, pieces, new int[pieces.count()]);
          }
          throw new IOException("checksums of type NULL cannot be composed");
        }

        @Override
        public Bytes open(long position, long length) throws IOException {
          throw new IOException("it is gone");
        }
      };
    }

    @Override
    public void ended(Download download, boolean whole, boolean fruitless) {}
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    begun = System.nanoTime();
    cache = new TestBlocks(directory.resolve("blocks"));
    Lease lease = cache.begin(layout.key(0), layout.cut(0));
    JoinResponseProto joined =
        JoinResponseProto.newBuilder()
            .setPath("/file")
            .addHolders(holder("one"))
            .addHolders(holder("other"))
            .addBlockHolders(BlockHoldersProto.newBuilder().addHolders(0).addHolders(1))
            .build();
    download =
        new Download(
            new IncomingBlocks(layout, Map.of(0, lease)),
            "alice",
            joined,
            BroadcastConfig.from(new Configuration(false)),
            owner,
            metrics,
            new Random(1));
    download.plainReads().heed(joined);
    download.introduce(one.introduction());
    download.introduce(other.introduction());
  }

  @AfterEach
  void end() {
    download.close();
    cache.close();
    metrics.close();
  }

  private static HolderProto holder(String name) {
    return HolderProto.newBuilder()
        .setDatanodeUuid(name)
        .setAddress("10.0.0.1")
        .setHostName(name)
        .setTransferPort(9866)
        .build();
  }

  /** At once, however long the machine takes until then. */
  private void tick() {
    boolean unused = download.tick(begun);
  }

  @Test
  void isGivenUpAtOnceWhenAllSeedsRefuseAndNoReplicaTellsChecksums() throws IOException {
    one.refuse(download);
    other.refuse(download);
    tick();
    assertThat(owner.asked).containsExactlyInAnyOrder("one", "other");
    assertThat(download.ended()).isTrue();
    assertThat(download.progress().toString()).startsWith("nobody can tell its checksums");
  }

  @Test
  void replicasAreNotReadAsLongAsASeedHasNotAnswered() throws IOException {
    one.refuse(download);
    tick();
    assertThat(owner.asked).isEmpty();
    assertThat(download.ended()).isFalse();
  }

  @Test
  void goesOnWhenAReplicaTellsChecksums() throws IOException {
    owner.haveSums = true;
    one.refuse(download);
    other.refuse(download);
    tick();
    assertThat(owner.asked).isNotEmpty();
    assertThat(download.ended()).isFalse();
  }
}
