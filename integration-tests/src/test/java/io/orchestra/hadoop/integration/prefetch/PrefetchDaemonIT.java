package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto.Purpose;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.integration.CacheStranger;
import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.ShownTokens;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What daemons do when they are told to, in a stock HDFS. */
@Timeout(180)
final class PrefetchDaemonIT {
  private static final AtomicInteger FILES = new AtomicInteger();
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int HOSTS = 2;

  /** Bytes of files that only show what the DataNode has done. */
  private static final int MARKER = 100_000;

  /** For all who need no settings of their own, and stop no daemon. */
  private static PrefetchCluster shared;

  /** Of this test only; null if it needs none. */
  private PrefetchCluster own;

  private PrefetchCluster cluster;
  private String file;
  private byte[] content;
  private long served;

  @BeforeAll
  static void startShared() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    // What one test has brought is not wasted while another counts.
    conf.set("orchestra.prefetch.keep", "1h");
    conf.set("orchestra.block-cache.capacity", "256m");
    shared = PrefetchCluster.start(conf, HOSTS);
  }

  @AfterAll
  static void stopShared() {
    if (shared != null) {
      shared.close();
    }
  }

  @BeforeEach
  void useShared() throws IOException {
    use(shared);
  }

  private void use(PrefetchCluster one) throws IOException {
    cluster = one;
    file = "/input" + FILES.incrementAndGet();
    // Not a whole number of pieces, nor of chunks.
    content = cluster.write(file, PrefetchCluster.BLOCK - 12_345, 0);
    served = served();
  }

  private void startOwn(Configuration conf) throws IOException {
    own = PrefetchCluster.start(conf, HOSTS);
    use(own);
  }

  @AfterEach
  void stopOwn() {
    if (own != null) {
      own.close();
    }
  }

  private void assertServed(long bytes) {
    // Counted when it has been sent, which may be after it was read.
    await().atMost(LONGEST).untilAsserted(() -> assertThat(served() - served).isEqualTo(bytes));
  }

  private static long served() {
    return cache("BytesServed");
  }

  private static long cache(String metric) {
    return Metrics.required("OrchestraBlockCache", metric);
  }

  /**
   * Those whose readers a test before this one had are gone then: the DataNode lets go of all at a
   * time that have been read, and brings nothing meanwhile.
   */
  private long settledWaiting() throws IOException {
    String last = file + "-last";
    byte[] read = cluster.write(last, MARKER, 0);
    long used = confirmedUsed();
    assertThat(end(bring(cluster.order(last).setConfirmed(true)))).isEqualTo(State.ARRIVED);
    assertThat(cluster.readAsMap(1, last)).isEqualTo(read);
    assertServed(MARKER);
    served = served();
    await().atMost(LONGEST).until(() -> confirmedUsed() - used == MARKER);

    // Nobody reads this one.
    String next = file + "-next";
    cluster.write(next, MARKER, 0);
    assertThat(end(bring(cluster.order(next)))).isEqualTo(State.ARRIVED);
    return waiting();
  }

  private static long confirmedUsed() {
    return Metrics.sum("OrchestraPrefetchDaemon", "ConfirmedBytesUsed");
  }

  private static long waiting() {
    return Metrics.required("OrchestraPrefetchDaemon", "BytesWaiting");
  }

  private long bring(StartProto.Builder order) {
    return cluster.coordinator().start(cluster.uuid(1), order, cluster.uuid(0));
  }

  private State end(long flow) {
    return cluster.coordinator().end(flow);
  }

  private void assertBroughtAndRead() throws IOException {
    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.ARRIVED);
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
    assertServed(content.length);
  }

  /** All maps of this test are one JVM, which has heard a moment ago that a block is not here. */
  private static void awaitThatMapsAskAgain() {
    await().pollDelay(Duration.ofMillis(2100)).until(() -> true);
  }

  private void assertReadFromHdfs() throws IOException {
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
    assertThat(served() - served).isZero();
  }

  @Test
  void aMapFindsItsInputAndItIsCountedAsUsed() throws IOException {
    long waiting = settledWaiting();
    long used = Metrics.sum("OrchestraPrefetchDaemon", "BytesUsed");
    long hits = cache("Hits");
    long misses = cache("Misses");
    assertBroughtAndRead();
    assertThat(cache("Hits") - hits).isEqualTo(1);
    assertThat(cache("Misses") - misses).isZero();

    await()
        .atMost(LONGEST)
        .until(() -> Metrics.sum("OrchestraPrefetchDaemon", "BytesUsed") - used == content.length);
    await().atMost(LONGEST).until(() -> waiting() == waiting);
  }

  @Test
  void whatALaunchedMapWasBroughtIsCountedApart() throws IOException {
    long waiting = settledWaiting();
    long used = Metrics.sum("OrchestraPrefetchDaemon", "BytesUsed");
    long confirmed = confirmedUsed();
    assertThat(end(bring(cluster.order(file).setConfirmed(true)))).isEqualTo(State.ARRIVED);
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
    assertServed(content.length);

    await().atMost(LONGEST).until(() -> confirmedUsed() - confirmed == content.length);
    await().atMost(LONGEST).until(() -> waiting() == waiting);
    assertThat(Metrics.required("OrchestraPrefetchDaemon", "BytesUsed")).isEqualTo(used);
  }

  @Test
  void whoIsNoMapReadsFromHdfs() throws IOException {
    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.ARRIVED);
    assertThat(cluster.read(cluster.host(1), file)).isEqualTo(content);
    assertThat(served() - served).isZero();

    assertThat(cluster.readAsMap(1, file)).as("who is one does not").isEqualTo(content);
    assertServed(content.length);
  }

  @Test
  void throughEncryptedConnectionsTheSameComes() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    startOwn(conf);

    assertBroughtAndRead();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CRC32", "CRC32C", "NULL"})
  void whateverChecksumsAFileHas(String type) throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.set("dfs.checksum.type", type);
    startOwn(conf);

    if (type.equals("NULL")) {
      assertThat(end(bring(cluster.order(file)))).isEqualTo(State.FAILED);
      assertReadFromHdfs();
    } else {
      assertBroughtAndRead();
    }
  }

  @Test
  void nobodyHasBroughtWhatHeMayNotRead() throws IOException {
    String other = file + "-other";
    cluster.write(other, 1000, 0);
    ByteString others = ShownTokens.of(cluster.block(other));
    byte[] forged = cluster.order(file).getToken().toByteArray();
    forged[forged.length / 2]++;

    assertThat(end(bring(cluster.order(file).setToken(others)))).isEqualTo(State.FORBIDDEN);
    assertThat(end(bring(cluster.order(file).setToken(ByteString.copyFrom(forged)))))
        .isEqualTo(State.FORBIDDEN);
    assertThat(end(bring(cluster.order(file).setToken(ByteString.copyFromUtf8("garbage")))))
        .isEqualTo(State.FORBIDDEN);
    assertReadFromHdfs();
  }

  @Test
  void whoHasNoGoodTokenGetsNothingOfWhatWasBrought() throws IOException {
    String other = file + "-other";
    cluster.write(other, 1000, 0);
    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.ARRIVED);
    LocatedBlock brought = cluster.block(file);
    Map<String, ByteString> bad =
        ShownTokens.bad(
            cluster.daemons().getNamesystem().getBlockManager().getBlockTokenSecretManager(),
            brought,
            cluster.block(other));
    for (Map.Entry<String, ByteString> token : bad.entrySet()) {
      for (Purpose purpose : Purpose.values()) {
        try (CacheStranger stranger = stranger(brought, token.getValue(), purpose)) {
          assertThat(stranger.answer().getDeclined())
              .as("token %s, %s", token.getKey(), purpose)
              .isEqualTo("the block token is not valid");
          assertThat(stranger.rest()).as("token %s, %s", token.getKey(), purpose).isZero();
        }
      }
    }
    assertThat(served() - served).isZero();

    try (CacheStranger reader = stranger(brought, ShownTokens.of(brought), Purpose.MAP_INPUT)) {
      OpenResponseProto answer = reader.answer();
      assertThat(answer.getSumsCount()).as("it is there").isPositive();
      assertThat(reader.rest()).isGreaterThan(answer.getPieceLength());
    }
  }

  private CacheStranger stranger(LocatedBlock block, ByteString token, Purpose purpose)
      throws IOException {
    Path socket = Path.of(cluster.host(1).get("orchestra.block-cache.socket"));
    return CacheStranger.insisting(socket, block.getBlock(), token, file, purpose);
  }

  @Test
  void aBlockThatIsSaidToBeShorterThanItIsDoesNotCome() throws IOException {
    StartProto.Builder tooShort = cluster.order(file);
    tooShort.getBlockBuilder().setLength(content.length - 1000);
    assertThat(end(bring(tooShort)))
        .as("its checksums are not those of so few bytes")
        .isEqualTo(State.FAILED);
    assertReadFromHdfs();
  }

  @Test
  void aBlockThatIsSaidToBeLongerThanItIsDoesNotCome() throws IOException {
    StartProto.Builder tooLong = cluster.order(file);
    tooLong.getBlockBuilder().setLength(content.length + 1000);
    assertThat(end(bring(tooLong))).isEqualTo(State.FAILED);
    assertReadFromHdfs();
  }

  @Test
  void whatIsHereIsNotBrought() throws IOException {
    long flow = cluster.coordinator().start(cluster.uuid(0), cluster.order(file), cluster.uuid(1));

    assertThat(end(flow)).isEqualTo(State.HERE);
  }

  @Test
  void ofTwoSourcesTheOneThatHasItGivesIt() throws IOException {
    startOwn(PrefetchCluster.configuration());
    cluster.daemons().startDataNodes(cluster.host(2), 1, true, null, null);
    cluster.daemons().waitActive();
    await().atMost(LONGEST).until(() -> cluster.coordinator().daemons() == 3);
    long flow =
        cluster
            .coordinator()
            .start(cluster.uuid(1), cluster.order(file), cluster.uuid(2), cluster.uuid(0));

    assertThat(end(flow)).isEqualTo(State.ARRIVED);
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
  }

  /** There are networks in which an address that the NameNode sees leads nowhere. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSourceIsCalledByNameWhereDataNodesAre(boolean byName) throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.setBoolean("dfs.datanode.use.datanode.hostname", byName);
    startOwn(conf);
    cluster.coordinator().tellAddress("127.0.0.9");

    if (byName) {
      assertBroughtAndRead();
    } else {
      assertThat(end(bring(cluster.order(file)))).isEqualTo(State.FAILED);
      assertReadFromHdfs();
    }
  }

  @Test
  void aCopyIsPacedUntilItsReaderHasWaited() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.set("orchestra.block-cache.map-input-wait", "20s");
    startOwn(conf);
    long flow = bring(cluster.order(file).setRate(1));
    await().atMost(LONGEST).until(() -> cluster.coordinator().bytes(flow) > 0);

    // At its rate it would take days.
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
    assertServed(content.length);
    assertThat(end(flow)).isEqualTo(State.ARRIVED);
  }

  @Test
  void aCopyGoesOnAtAnotherRate() throws IOException {
    long flow = bring(cluster.order(file).setRate(1));
    await().atMost(LONGEST).until(() -> cluster.coordinator().bytes(flow) > 0);
    cluster.coordinator().pace(cluster.uuid(1), flow, 0);

    assertThat(end(flow)).isEqualTo(State.ARRIVED);
  }

  @Test
  void aCopyThatIsCancelledLeavesNothing() throws IOException {
    long waiting = settledWaiting();
    long cancelled = Metrics.sum("OrchestraPrefetchDaemon", "Cancelled");
    long flow = bring(cluster.order(file).setRate(1));
    await().atMost(LONGEST).until(() -> cluster.coordinator().bytes(flow) > 0);
    cluster.coordinator().cancel(cluster.uuid(1), flow);

    await()
        .atMost(LONGEST)
        .until(() -> Metrics.sum("OrchestraPrefetchDaemon", "Cancelled") == cancelled + 1);
    await().atMost(LONGEST).until(() -> waiting() == waiting);
    assertReadFromHdfs();
    awaitThatMapsAskAgain();
    assertBroughtAndRead();
  }

  @Test
  void aCoordinatorThatStartsAnewFindsWhatItsPredecessorBegan() throws IOException {
    long flow = bring(cluster.order(file).setRate(1));
    await().atMost(LONGEST).until(() -> cluster.coordinator().bytes(flow) > 0);
    long copied = Metrics.sum("OrchestraPrefetchDaemon", "BytesCopied");
    cluster.coordinator().startAnew();

    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.ARRIVED);
    assertThat(Metrics.required("OrchestraPrefetchDaemon", "BytesCopied") - copied)
        .as("it went on")
        .isLessThan(content.length);
  }

  @Test
  void oneUsersBlocksTakeAPartOfTheRoomOnly() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.set("orchestra.block-cache.capacity", "8m");
    startOwn(conf);
    cluster.write("/second", PrefetchCluster.BLOCK, 0);

    // A half of a half of it is one block.
    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.ARRIVED);
    assertThat(end(bring(cluster.order("/second")))).isEqualTo(State.NO_ROOM);
    assertThat(end(bring(cluster.order("/second").setUser("bob")))).isEqualTo(State.ARRIVED);
  }

  @Test
  void whereThereIsNoRoomTheMapReadsFromHdfs() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.set("orchestra.block-cache.capacity", "4m");
    startOwn(conf);
    long misses = cache("Misses");

    assertThat(end(bring(cluster.order(file)))).isEqualTo(State.NO_ROOM);
    assertReadFromHdfs();
    assertThat(cache("Misses") - misses).isEqualTo(1);
  }

  @Test
  void predictionsThatAreAllWrongTakeTheRoomForAWhileOnly() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    conf.set("orchestra.block-cache.capacity", "8m");
    conf.set("orchestra.prefetch.keep", "1s");
    startOwn(conf);
    long evictions = cache("Evictions");
    for (int wrong = 0; wrong < 4; wrong++) {
      String unread = "/wrong" + wrong;
      cluster.write(unread, PrefetchCluster.BLOCK, 0);
      await()
          .atMost(LONGEST)
          .until(() -> end(bring(cluster.order(unread).setMillisToDeadline(0))) == State.ARRIVED);
    }

    assertReadFromHdfs();
    await()
        .atMost(LONGEST)
        .until(() -> end(bring(cluster.order(file).setMillisToDeadline(600_000))) == State.ARRIVED);
    awaitThatMapsAskAgain();
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
    assertServed(content.length);
    assertThat(cache("Evictions")).isGreaterThan(evictions);
  }

  @Test
  void whenTheOnlyReplicaIsOnADeadHostTheCopyFailsAndComesWhenItIsBack() throws IOException {
    startOwn(PrefetchCluster.configuration());
    StartProto.Builder order = cluster.order(file);
    String source = cluster.uuid(0);
    String target = cluster.uuid(1);
    var dead = cluster.daemons().stopDataNode(0);
    assertThat(end(cluster.coordinator().start(target, order, source))).isEqualTo(State.FAILED);

    cluster.daemons().restartDataNode(dead);
    cluster.daemons().waitActive();
    await().atMost(LONGEST).until(() -> cluster.coordinator().daemons() == 2);
    await()
        .atMost(LONGEST)
        .until(
            () ->
                end(cluster.coordinator().start(target, cluster.order(file), source))
                    == State.ARRIVED);
    assertThat(cluster.readAsMap(1, file)).isEqualTo(content);
  }

  @Test
  void whenItsTimeIsOverABlockThatNobodyReadWasWasted() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    // For longer than the machine may stand still while it comes.
    conf.set("orchestra.prefetch.keep", "10s");
    startOwn(conf);
    long wasted = Metrics.sum("OrchestraPrefetchDaemon", "BytesWasted");
    assertThat(end(bring(cluster.order(file).setMillisToDeadline(0)))).isEqualTo(State.ARRIVED);

    await()
        .atMost(LONGEST)
        .until(
            () -> Metrics.sum("OrchestraPrefetchDaemon", "BytesWasted") - wasted == content.length);
    assertThat(cluster.readAsMap(1, file)).as("it may be there still").isEqualTo(content);
  }

  @Test
  void aSourceThatDiesInTheMiddleFailsTheCopyAndTheReaderReadsOn() throws IOException {
    Configuration conf = PrefetchCluster.configuration();
    // More than the network's buffers hold.
    conf.setLong("dfs.blocksize", 4L * PrefetchCluster.BLOCK);
    startOwn(conf);
    byte[] large = cluster.write("/large", 4 * PrefetchCluster.BLOCK, 0);
    String target = cluster.uuid(1);
    // After its first piece next to nothing, however long the source takes to die.
    long flow = bring(cluster.order("/large").setRate(1));
    await().atMost(LONGEST).until(() -> cluster.coordinator().bytes(flow) > 0);
    var dead = cluster.daemons().stopDataNode(0);
    cluster.coordinator().pace(target, flow, 0);

    assertThat(end(flow)).isEqualTo(State.FAILED);
    cluster.daemons().restartDataNode(dead);
    cluster.daemons().waitActive();
    assertThat(cluster.readAsMap(1, "/large")).isEqualTo(large);
  }
}
