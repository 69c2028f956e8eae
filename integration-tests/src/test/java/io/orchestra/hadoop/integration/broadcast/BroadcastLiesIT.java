package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.broadcast.LyingPeer.Lie;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a peer says, every localizer gets the bytes that were written. */
final class BroadcastLiesIT {
  private static final int SIZE = 10 * BroadcastCluster.BLOCK;

  /** Others may send all of a file before a liar is asked for anything, or has answered. */
  private static final int MOST_FILES = 20;

  private static final String PEER = "OrchestraSwarmPeer";

  private static BroadcastCluster cluster;

  /** A DataNode without a replica of any file and without a peer: liars speak for it. */
  private static String idle;

  /** The first host has all replicas; two others localize. */
  @BeforeAll
  static void start() throws IOException {
    cluster = BroadcastCluster.start(configuration(), 3);
    idle = cluster.add(false);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Nobody is far away from a liar, and nobody asks it for two pieces before one has come. */
  private static Configuration configuration() throws IOException {
    Configuration conf = BroadcastCluster.configuration();
    conf.set("orchestra.broadcast.requests-per-neighbour", "1");
    conf.set("orchestra.broadcast.topology", "flat");
    // A busy host would not count as one that can have the replicas.
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    return conf;
  }

  @ParameterizedTest
  @EnumSource
  void whatALiarDoesNotSendComesFromOthers(Lie lie) throws Exception {
    for (int asked = 0, number = 1; asked == 0; number++) {
      assertThat(number).as("files of which the liar was asked for nothing").isLessThan(MOST_FILES);
      String path = "/%s-%d".formatted(lie, number);
      byte[] content = cluster.writeOn(0, path, SIZE);
      long fromCaches = cluster.bytesFromCaches();
      // Whoever is found out is asked no more.
      String datanode = lie == Lie.OTHER_BYTES ? cluster.add(false) : idle;
      try (LyingPeer liar = LyingPeer.join(cluster, datanode, path, content, lie)) {
        assertLocalized(cluster, path, content);
        asked = liar.asked();
      }
      cluster.awaitBytesFromCaches(fromCaches + 2L * SIZE);
    }
  }

  /** As large as those of a file of 1 GB. */
  @ParameterizedTest
  @EnumSource(names = {"SILENCE", "SLOW_TRUTH", "HALF_A_TRUTH", "DEATH"})
  void largePiecesThatOneDoesNotSendInTimeComeFromOthers(Lie lie) throws Exception {
    int bytes = 64 << 20;
    Configuration conf = configuration();
    conf.set("dfs.blocksize", "32m");
    conf.set("orchestra.broadcast.piece-size", "2m");
    // Several are stuck at once.
    conf.unset("orchestra.broadcast.requests-per-neighbour");
    try (BroadcastCluster large = BroadcastCluster.start(conf, 3)) {
      String stuck = large.add(false);
      long failed = Metrics.sum(PEER, "SwarmsFailed");
      for (int asked = 0, number = 1; asked == 0; number++) {
        assertThat(number)
            .as("files of which the liar was asked for nothing")
            .isLessThan(MOST_FILES);
        String path = "/large-" + number;
        byte[] content = large.writeOn(0, path, bytes);
        long fromCaches = large.bytesFromCaches();
        try (LyingPeer liar = LyingPeer.join(large, stuck, path, content, lie)) {
          assertLocalized(large, path, content);
          asked = liar.asked();
        }
        large.awaitBytesFromCaches(fromCaches + 2L * bytes);
      }
      assertThat(Metrics.required(PEER, "SwarmsFailed")).isEqualTo(failed);
    }
  }

  @Test
  void whoSentAWrongPieceIsAskedNoMoreAndTold() throws Exception {
    boolean isFoundOut = false;
    for (int number = 1; !isFoundOut; number++) {
      assertThat(number).as("files of which no wrong piece came").isLessThan(MOST_FILES);
      String path = "/again-" + number;
      byte[] again = cluster.writeOn(0, path, SIZE);
      String datanode = cluster.add(false);
      long fromCaches = cluster.bytesFromCaches();
      long corrupt = piecesCorrupt();
      try (LyingPeer liar = LyingPeer.join(cluster, datanode, path, again, Lie.OTHER_BYTES)) {
        assertLocalized(cluster, path, again);
        cluster.awaitBytesFromCaches(fromCaches + 2L * SIZE);
        isFoundOut = piecesCorrupt() > corrupt;
        if (isFoundOut) {
          assertThat(liar.callers()).isNotEmpty().doesNotHaveDuplicates();
          assertThat(liar.asked()).isBetween(1, liar.callers().size());
          assertThat(piecesCorrupt() - corrupt).isBetween(1L, (long) liar.asked());
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () ->
                      cluster.receivers(path).stream()
                          .anyMatch(receiver -> receiver.path("corrupt").asInt() == 1));
        }
      }
    }
  }

  @Test
  void whoSentAWrongPieceOfOneFileIsNotAskedForTheNext() throws Exception {
    String datanode = "";
    boolean isFoundOut = false;
    for (int number = 1; !isFoundOut; number++) {
      assertThat(number).as("files of which no wrong piece came").isLessThan(MOST_FILES);
      String path = "/first-" + number;
      byte[] first = cluster.writeOn(0, path, SIZE);
      datanode = cluster.add(false);
      long fromCaches = cluster.bytesFromCaches();
      long corrupt = piecesCorrupt();
      try (LyingPeer unused = LyingPeer.join(cluster, datanode, path, first, Lie.OTHER_BYTES)) {
        assertThat(equal(cluster.localize(1, path), first)).isTrue();
        cluster.awaitBytesFromCaches(fromCaches + SIZE);
        isFoundOut = piecesCorrupt() > corrupt;
      }
    }
    List<String> callers = List.of();
    for (int number = 1; callers.isEmpty(); number++) {
      assertThat(number).as("files of which the liar was asked for nothing").isLessThan(MOST_FILES);
      String path = "/second-" + number;
      byte[] second = cluster.writeOn(0, path, SIZE);
      long fromCaches = cluster.bytesFromCaches();
      try (LyingPeer liar = LyingPeer.join(cluster, datanode, path, second, Lie.OTHER_BYTES)) {
        assertThat(equal(cluster.localize(1, path), second)).isTrue();
        assertThat(liar.callers()).isEmpty();
        // Of another host, which knows nothing of it.
        assertThat(equal(cluster.localize(2, path), second)).isTrue();
        callers = liar.callers();
      }
      cluster.awaitBytesFromCaches(fromCaches + 2L * SIZE);
    }
  }

  @Test
  void checksumsAreBelievedOfNobodyWithoutAReplica() throws Exception {
    try (BroadcastCluster lonely = BroadcastCluster.start(configuration(), 0)) {
      // The only replica is on a host without a peer.
      String holder = lonely.add(false);
      byte[] content = lonely.write("/file", SIZE, 1);
      lonely.add(true);
      String stranger = lonely.add(false);
      lonely.awaitPeers(1);
      long fromCaches = lonely.bytesFromCaches();
      LyingPeer.pretend(lonely, holder);
      try (LyingPeer liar = LyingPeer.join(lonely, stranger, "/file", content, Lie.OTHER_BYTES)) {
        assertThat(equal(lonely.localize(1, "/file"), content)).isTrue();
        assertThat(liar.callers()).isNotEmpty();
      }
      // Against the checksums of the replica, which was read itself, all is verified.
      lonely.awaitBytesFromCaches(fromCaches + SIZE);
    }
  }

  private static long piecesCorrupt() {
    return Metrics.sum(PEER, "PiecesCorrupt");
  }

  /** On both hosts that have no replica. */
  private static void assertLocalized(BroadcastCluster where, String path, byte[] written) {
    List<CompletableFuture<byte[]>> reads =
        List.of(where.localize(1, path), where.localize(2, path));
    for (CompletableFuture<byte[]> read : reads) {
      assertThat(equal(read, written)).isTrue();
    }
  }

  private static boolean equal(CompletableFuture<byte[]> read, byte[] written) {
    return Arrays.equals(read.orTimeout(10, TimeUnit.MINUTES).join(), written);
  }
}
