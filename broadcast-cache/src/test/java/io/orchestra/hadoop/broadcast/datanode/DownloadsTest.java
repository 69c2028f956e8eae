package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Ticker;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DownloadsTest {
  private static final JoinResponseProto JOINED =
      JoinResponseProto.newBuilder().setPath("/file").setMutual(true).setTakesTurns(true).build();

  private static final long SECOND = 1_000_000_000L;

  /** Before all begins: on the clock of a test no file is late, however slow the machine is. */
  private final long now = System.nanoTime();

  private final BroadcastMetrics metrics = new BroadcastMetrics();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private TestBlocks cache;
  private Trackers trackers;
  private Downloads downloads;
  private boolean worthIt = true;
  private Set<?> inTurn = Set.of();
  private long arrived;
  private int begun;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Configuration conf = new Configuration(false);
    BroadcastConfig config = BroadcastConfig.from(conf);
    cache = new TestBlocks(directory.resolve("blocks"));
    trackers = new Trackers(() -> "this one", conf, config, () -> 8121, Ticker.systemTicker());
    downloads =
        new Downloads(
            null, config, cache::has, trackers, metrics, threads, this::takeTurns, () -> begun++);
  }

  @AfterEach
  void stop() {
    downloads.close();
    trackers.close();
    cache.close();
    metrics.close();
  }

  private boolean takeTurns(Set<?> files, long bytes, long now) {
    inTurn = files;
    arrived = bytes;
    return worthIt && files.size() > 1;
  }

  private static BlockKey block(long id) {
    return new BlockKey("pool", id, 1);
  }

  private IncomingBlocks incoming(long id) throws IOException {
    return incoming(id, 10);
  }

  private IncomingBlocks incoming(long id, long length) throws IOException {
    FileLayout layout = new FileLayout(List.of(block(id)), List.of(length), 5);
    return new IncomingBlocks(layout, Map.of(0, cache.begin(block(id), layout.cut(0))));
  }

  @Test
  void whatCannotBeBegunHoldsNoBlock() throws IOException {
    IncomingBlocks incoming = incoming(1);
    assertThat(cache.has(block(1))).isTrue();
    assertThatThrownBy(() -> downloads.begin(incoming, "alice", null))
        .isInstanceOf(NullPointerException.class);
    assertThat(cache.has(block(1))).as("nobody brings it").isFalse();
    assertThat(downloads.all()).isEmpty();
  }

  @Test
  void itIsToldThatOneIsToBeLookedAfterUntilItHasEnded() throws IOException {
    assertThat(downloads.areIdle()).isTrue();
    downloads.begin(incoming(1), "alice", JOINED);
    assertThat(begun).isEqualTo(1);
    assertThat(downloads.areIdle()).isFalse();
    download(1).fail("its disk is full");
    assertThat(downloads.areIdle()).isTrue();
  }

  @Test
  void oneThatNoThreadIsThereForHindersNoOther() throws IOException {
    downloads.begin(incoming(1), "alice", JOINED);
    downloads.begin(incoming(2), "alice", JOINED);
    List<Download> both = downloads.all();
    assertThat(both).hasSize(2);
    both.forEach(download -> download.acquaintances().claimed("another"));
    threads.shutdown();
    assertThatCode(() -> downloads.tick(System.nanoTime())).doesNotThrowAnyException();
    assertThat(both).allMatch(download -> download.acquaintances().takeClaims().isEmpty());
  }

  @Test
  void ofSeveralFilesTheOneOfWhichLeastIsMissingGoesFirst() throws IOException {
    downloads.begin(incoming(1, 30), "alice", JOINED);
    downloads.tick(now);
    assertThat(givingWay()).as("alone").isEmpty();

    downloads.begin(incoming(2, 20), "bob", JOINED);
    downloads.begin(incoming(3, 40), "alice", JOINED);
    downloads.tick(now + 1);
    assertThat(givingWay()).containsExactlyInAnyOrder(block(1), block(3));

    download(2).fail("its disk is full");
    downloads.tick(now + 2);
    assertThat(givingWay()).containsExactly(block(3));
  }

  @Test
  void nobodyGivesWayWhereThatIsNotWorthIt() throws IOException {
    beginTwo();
    worthIt = false;
    downloads.tick(now + 1);
    assertThat(givingWay()).isEmpty();
  }

  @Test
  void whatComesOfAllFilesTellsWhetherItIs() throws IOException {
    beginTwo();
    assertThat(inTurn).isEqualTo(Set.of(block(1), block(2)));
    downloads.all().get(0).arriving(7);
    downloads.all().get(1).arriving(8);
    downloads.tick(now + 1);
    assertThat(arrived).isEqualTo(15);
  }

  @Test
  void nobodyGivesWayIfOneOfThemMayNotWhichWouldHaveItAll() throws IOException {
    downloads.begin(incoming(1, 20), "alice", JOINED);
    downloads.begin(incoming(2, 30), "alice", JOINED);
    downloads.begin(incoming(3, 40), "alice", JOINED);
    download(3).giveWay(true, now - 100 * SECOND);
    download(3).giveWay(false, now);
    downloads.tick(now);
    assertThat(givingWay()).isEmpty();
    assertThat(inTurn).isEmpty();

    download(3).fail("its disk is full");
    downloads.tick(now + 1);
    assertThat(givingWay()).containsExactly(block(2));
  }

  /** Their links are idle otherwise. */
  @Test
  void nobodyGivesWayToFilesOfWhichNothingComes() throws IOException {
    beginTwo();
    long end = System.nanoTime() + SECOND;
    // So often that nobody seems to have stood still.
    for (long time = now; time - end < SECOND / 2; time += SECOND / 2) {
      downloads.tick(time);
    }
    assertThat(givingWay()).isEmpty();
  }

  @Test
  void whoHasStoodStillChangesNothing() throws IOException {
    beginTwo();
    downloads.tick(now + 2 * SECOND);
    assertThat(givingWay()).containsExactly(block(2));
  }

  @Test
  void filesThatTakeNoTurnsDoNotGiveWayAndNobodyToThem() throws IOException {
    JoinResponseProto together = JOINED.toBuilder().setTakesTurns(false).build();
    downloads.begin(incoming(1, 20), "alice", together);
    downloads.begin(incoming(2, 30), "alice", JOINED);
    downloads.tick(now);
    assertThat(givingWay()).isEmpty();
    downloads.begin(incoming(3, 40), "alice", together);
    downloads.begin(incoming(4, 50), "alice", JOINED);
    downloads.tick(now + 1);
    assertThat(givingWay()).containsExactly(block(4));
  }

  /** The second one gives way. */
  private void beginTwo() throws IOException {
    downloads.begin(incoming(1, 20), "alice", JOINED);
    downloads.begin(incoming(2, 30), "alice", JOINED);
    downloads.tick(now);
    assertThat(givingWay()).containsExactly(block(2));
  }

  private Download download(long id) {
    return downloads.all().stream()
        .filter(download -> download.layout().name().equals(block(id)))
        .findFirst()
        .orElseThrow();
  }

  private List<BlockKey> givingWay() {
    return downloads.all().stream()
        .filter(download -> !download.ended() && download.givesWay())
        .map(download -> download.layout().name())
        .toList();
  }
}
