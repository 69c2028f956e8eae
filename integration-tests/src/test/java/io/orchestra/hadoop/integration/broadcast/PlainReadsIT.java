package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.broadcast.LyingPeer.Lie;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A swarm that brings less than HDFS would does not keep the file from its reader. */
final class PlainReadsIT {
  private static final int SIZE = 10 * BroadcastCluster.BLOCK;
  private static final int READER = 2;
  private static final String FILE = "/file";
  private static final String PEER = "OrchestraSwarmPeer";

  private BroadcastCluster cluster;
  private String holder;
  private String stranger;
  private long read;
  private long failed;
  private long fromCaches;

  /** Two hosts without a peer have the replicas, a third one reads. */
  private void start(Configuration conf) throws IOException {
    cluster = BroadcastCluster.start(conf, 0);
    holder = cluster.add(false);
    cluster.add(false);
    // There is no peer yet.
    read = Metrics.sum(PEER, "BytesReadFromHdfs");
    failed = Metrics.sum(PEER, "SwarmsFailed");
    fromCaches = cluster.bytesFromCaches();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private byte[] write() throws IOException {
    return writeAll(FILE).get(0);
  }

  private List<byte[]> writeAll(String... paths) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (String path : paths) {
      contents.add(cluster.write(path, SIZE, 2));
    }
    cluster.add(true);
    stranger = cluster.add(false);
    cluster.awaitPeers(1);
    return contents;
  }

  private byte[] localize(byte[] content, Lie lie) throws IOException {
    return localize(FILE, content, lie);
  }

  private byte[] localize(String path, byte[] content, Lie lie) throws IOException {
    // Or the tracker would not let anybody in.
    LyingPeer.pretend(cluster, holder);
    try (LyingPeer liar = LyingPeer.join(cluster, stranger, path, content, lie)) {
      byte[] got = localize(path);
      assertThat(liar.callers()).isNotEmpty();
      return got;
    }
  }

  private byte[] localize(String path) {
    return cluster.localize(READER, path).orTimeout(1, TimeUnit.MINUTES).join();
  }

  private static long counter(String name) {
    return Metrics.required(PEER, name);
  }

  /** Counted by the thread that brings pieces, perhaps when a reader has the last one already. */
  private static void awaitCounter(String name, long count) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(counter(name)).isEqualTo(count));
  }

  @Test
  void bytesThatTrickleDoNotHoldUpAFile() throws Exception {
    start(BroadcastCluster.configuration());
    byte[] content = write();

    assertThat(localize(content, Lie.TRICKLE)).isEqualTo(content);
    cluster.awaitBytesFromCaches(fromCaches + SIZE);
    awaitCounter("BytesReadFromHdfs", read + SIZE);
    assertThat(counter("SwarmsFailed")).isEqualTo(failed);
  }

  @Test
  void whatOneReplicaHasLostIsReadFromAnother() throws Exception {
    Configuration conf = BroadcastCluster.configuration();
    // The first replica has a quarter of it for each step, and is to be found rotten, not slow.
    conf.set("orchestra.broadcast.stall-timeout", "8s");
    BroadcastCluster.keepCorruptReplicas(conf);
    start(conf);
    byte[] content = write();
    ExtendedBlock block = cluster.firstBlock(FILE).getBlock();
    long corrupt = counter("PiecesCorrupt");
    // In the reader's rack, and so asked first.
    cluster
        .daemons()
        .getMaterializedReplica(0, block)
        .corruptData(new byte[BroadcastCluster.BLOCK]);

    assertThat(localize(content, Lie.SILENCE)).isEqualTo(content);
    cluster.awaitBytesFromCaches(fromCaches + SIZE);
    assertThat(counter("PiecesCorrupt")).isGreaterThan(corrupt);
    assertThat(counter("SwarmsFailed")).isEqualTo(failed);
    cluster.awaitToldOfCorruptReplica(FILE);
  }

  @Test
  void aFileOfWhichOneBlockCannotBeReadSoIsLeftToItsReader() throws Exception {
    start(BroadcastCluster.configuration());
    byte[] content = write();
    ExtendedBlock block = cluster.firstBlock(FILE).getBlock();
    for (int host = 0; host < 2; host++) {
      // Their checksums are gone; a client does without them.
      cluster.daemons().getMaterializedReplica(host, block).deleteMeta();
    }

    assertThat(localize(content, Lie.SILENCE)).isEqualTo(content);
    // The reader has not waited longer for checksums than the swarm for a byte of anything.
    awaitCounter("SwarmsFailed", failed + 1);
    assertThat(counter("BytesReadFromHdfs") - read).isEqualTo(SIZE - BroadcastCluster.BLOCK);
  }

  /** The one who is slow has a replica, and pieces are as long as those of 100 MB and of 1 GB. */
  @ParameterizedTest
  @CsvSource({"SLOW_TRUTH, 256k", "SLOW_TRUTH, 2m", "HALF_A_TRUTH, 256k", "HALF_A_TRUTH, 2m"})
  void aSeedThatIsSlowWithLargePiecesDoesNotHoldUpAFile(Lie lie, String pieceSize)
      throws Exception {
    Configuration conf = BroadcastCluster.configuration();
    conf.set("dfs.blocksize", "8m");
    conf.set("orchestra.broadcast.piece-size", pieceSize);
    start(conf);
    byte[] content = write();

    try (LyingPeer seed = LyingPeer.join(cluster, holder, FILE, content, lie)) {
      assertThat(Arrays.equals(localize(FILE), content)).isTrue();
      assertThat(seed.asked()).isPositive();
    }
    cluster.awaitBytesFromCaches(fromCaches + SIZE);
    assertThat(counter("SwarmsFailed")).isEqualTo(failed);
    // Within stall-timeout it has sent a tenth.
    assertThat(counter("BytesReadFromHdfs") - read).isGreaterThan(SIZE / 2);
  }

  @Test
  void afterTwoFilesOfWhichNoPeerHasSentAPieceTheNextIsReadFromHdfsAtOnce() throws Exception {
    start(BroadcastCluster.configuration());
    List<String> paths = List.of("/one", "/two", "/three");
    List<byte[]> contents = writeAll(paths.toArray(String[]::new));
    long joined = counter("SwarmsJoined");
    long completed = counter("SwarmsCompleted");
    for (int file = 0; file < 2; file++) {
      byte[] got = localize(paths.get(file), contents.get(file), Lie.SILENCE);
      assertThat(Arrays.equals(got, contents.get(file))).isTrue();
    }
    assertThat(counter("SwarmsJoined") - joined).isEqualTo(2);
    cluster.awaitBytesFromCaches(fromCaches + 2L * SIZE);
    // By then it is known that nothing has come from peers, which readers need not wait for.
    awaitCounter("SwarmsCompleted", completed + 2);

    assertThat(Arrays.equals(localize(paths.get(2)), contents.get(2))).isTrue();
    assertThat(counter("SwarmsJoined") - joined).isEqualTo(2);
    assertThat(Metrics.sum("OrchestraBlockCache", "DeclinedGivenUpAShortWhileAgo")).isPositive();
  }
}
