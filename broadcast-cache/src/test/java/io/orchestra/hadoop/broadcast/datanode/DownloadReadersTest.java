package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.core.blockcache.TimedBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Those who read a file of two blocks, of two pieces each, while it is brought. */
final class DownloadReadersTest {
  private static final long SECOND = 1_000_000_000L;

  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final ByteBuffer PIECE = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5});

  /** Before all begins: no file is late then, however slow the machine is. */
  private final long earliest = System.nanoTime();

  private final FileLayout layout =
      new FileLayout(
          List.of(new BlockKey("pool", 1, 1), new BlockKey("pool", 2, 1)), List.of(10L, 10L), 5);
  private final Owner owner = new Owner();
  private final BroadcastMetrics metrics = new BroadcastMetrics();
  private TestBlocks cache;
  private TimedBlocks timed;
  private Download download;

  /** Where blocks are begun. */
  @FunctionalInterface
  private interface Blocks {
    Lease begin(BlockKey key, BlockPieces pieces) throws IOException;
  }

  private static final class Owner extends IdleOwner {
    private final List<Download> ended = new ArrayList<>();

    @Override
    public void ended(Download download, boolean whole, boolean fruitless) {
      ended.add(download);
    }
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    cache = new TestBlocks(directory.resolve("blocks"));
    timed = new TimedBlocks(directory);
    download = beginAgain();
  }

  private Download beginAgain() throws Exception {
    return beginIn(cache::begin);
  }

  private Download beginIn(Blocks blocks) throws Exception {
    Map<Integer, Lease> leases = new HashMap<>();
    for (int block = 0; block < layout.blocks(); block++) {
      Lease lease = blocks.begin(layout.key(block), layout.cut(block));
      int[] sums = new int[layout.cut(block).count()];
      Arrays.fill(sums, PieceSums.Kind.CRC32C.of(PIECE));
      lease.block().expect(new PieceSums(PieceSums.Kind.CRC32C, layout.cut(block), sums));
      leases.put(block, lease);
    }
    Download begun =
        new Download(
            new IncomingBlocks(layout, leases),
            "alice",
            JoinResponseProto.newBuilder()
                .setPath("/file")
                .setMutual(true)
                .setTakesTurns(true)
                .build(),
            BroadcastConfig.from(new Configuration(false)),
            owner,
            metrics,
            new Random(1));
    begun.begin();
    return begun;
  }

  @AfterEach
  void end() throws IOException {
    download.close();
    timed.close();
    cache.close();
    metrics.close();
  }

  private void come(int piece) throws IOException {
    assertThat(download.read(piece, PIECE.duplicate())).isTrue();
  }

  private void tick(long now) {
    boolean unused = download.tick(now);
  }

  /** Time passes for the reader when a test says so. */
  private CompletableFuture<Void> readFirstBlock() throws Exception {
    download.close();
    download = beginIn(timed::begin);
    return timed.read(download.blocks().get(0), 0, LONGEST);
  }

  @Test
  void aReaderWaitsAsLongAsItsFileComesAlsoIfNoPieceOfItsBlockDoes() throws Exception {
    CompletableFuture<Void> reader = readFirstBlock();
    for (int time = 0; time < 4; time++) {
      timed.pass(LONGEST.minusMillis(1));
      assertThat(reader).isNotDone();
      tick(earliest);
    }
    come(2);
    assertThat(reader).isNotDone();
    come(0);
    assertThat(reader).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void aReaderWaitsNoLongerThanNobodyLooksAfterItsFile() throws Exception {
    CompletableFuture<Void> reader = readFirstBlock();
    timed.pass(LONGEST.minusMillis(1));
    assertThat(reader).isNotDone();
    timed.pass(Duration.ofMillis(1));
    assertThat(reader).failsWithin(Duration.ofSeconds(10));
  }

  @Test
  void aReaderIsSentAwayWhenItsFileComesNoMore() {
    CompletableFuture<Void> reader = TestBlocks.read(download.blocks().get(0), 0, LONGEST);
    long start = System.nanoTime();
    for (long time = 0; time <= 9 * SECOND; time += SECOND / 2) {
      tick(start + time);
    }
    assertThat(reader)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withMessageContaining("nothing has come");
    assertThat(owner.ended).containsExactly(download);
  }

  @Test
  void whatNobodyReadsIsBroughtNoFurtherAndGoesOnWithWhatIsHereWhenSomebodyDoes() throws Exception {
    come(1);
    long start = System.nanoTime();
    tick(start + 20 * SECOND);
    assertThat(download.ended()).isFalse();
    tick(start + 31 * SECOND);
    assertThat(download.ended()).isTrue();
    assertThat(owner.ended).as("it has not failed").isEmpty();
    assertThat(layout.keys()).noneMatch(cache::has);

    download = beginAgain();
    assertThat(download.progress().present()).isEqualTo(1);
    assertThat(layout.keys()).allMatch(cache::has);
  }

  @Test
  void whatIsHereAlreadyIsNotBroughtAgain() throws Exception {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      come(piece);
    }
    Download again = beginAgain();
    assertThat(again.ended()).isTrue();
    assertThat(owner.ended).containsExactly(download, again);
    assertThat(layout.keys()).allMatch(cache::has);
  }

  @Test
  void whatIsWholeStaysWhenNobodyReadsTheRest() throws Exception {
    come(2);
    come(3);
    tick(System.nanoTime() + 31 * SECOND);
    assertThat(layout.keys()).filteredOn(cache::has).containsExactly(layout.key(1));
  }

  @Test
  void whatSomebodyReadsIsBroughtOn() throws Exception {
    CachedBlock second = download.blocks().get(1);
    CompletableFuture<Void> reader = TestBlocks.read(second, 0, LONGEST);
    tick(System.nanoTime() + 31 * SECOND);
    assertThat(download.ended()).isFalse();
    come(2);
    assertThat(reader).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void whileItGivesWayOnePieceIsAskedForAndThenTheOthers() throws Exception {
    download.giveWay(true, System.nanoTime());
    BitSet all = new BitSet();
    all.set(0, layout.pieces());
    try (PlainConnection connection = PlainConnection.open()) {
      NeighbourConnection neighbour =
          new NeighbourConnection(
              new BriefNeighbour("near", Role.RECEIVER).introduction(),
              connection.streams(),
              layout,
              download.buffers());
      download.welcomed(
          neighbour,
          HelloResponseProto.newBuilder().setHas(ByteString.copyFrom(all.toByteArray())).build());
      assertThat(wanted(connection)).hasSize(1);

      download.giveWay(false, System.nanoTime());
      assertThat(wanted(connection)).hasSize(3);
    }
  }

  private static List<Integer> wanted(PlainConnection connection) throws IOException {
    connection.other().setSoTimeout(10_000);
    return WishProto.parseDelimitedFrom(connection.other().getInputStream()).getWantedList();
  }

  @Test
  void itGivesWayForAMinuteInAllAndSaysSo() {
    long now = System.nanoTime();
    download.giveWay(true, now);
    assertThat(download.mayGiveWay(now + 59 * SECOND)).isTrue();
    assertThat(download.mayGiveWay(now + 61 * SECOND)).isFalse();

    download.giveWay(false, now + 2 * SECOND);
    assertThat(download.account(now + 3 * SECOND)).endsWith("gave way to other files for 2000 ms");
  }
}
