package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.broadcast.LyingPeer.Lie;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
  private static final Map<Lie, byte[]> WRITTEN = new EnumMap<>(Lie.class);

  private static final String AGAIN = "/again";
  private static final String FIRST = "/first";
  private static final String SECOND = "/second";

  private static BroadcastCluster cluster;
  private static byte[] again;
  private static byte[] first;
  private static byte[] second;

  /** A DataNode without a replica of any file and without a peer: liars speak for it. */
  private static String idle;

  /** The same, for those of whom it is found out. */
  private static Iterator<String> foundOut;

  /** The first host has all replicas; two others localize. */
  @BeforeAll
  static void start() throws IOException {
    cluster = BroadcastCluster.start(configuration(), 1);
    for (Lie lie : Lie.values()) {
      WRITTEN.put(lie, cluster.write(path(lie), SIZE, 1));
    }
    again = cluster.write(AGAIN, SIZE, 1);
    first = cluster.write(FIRST, SIZE, 1);
    second = cluster.write(SECOND, SIZE, 1);
    cluster.add(true);
    cluster.add(true);
    idle = cluster.add(false);
    foundOut = List.of(cluster.add(false), cluster.add(false), cluster.add(false)).iterator();
    cluster.awaitPeers(3);
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
    return conf;
  }

  private static String path(Lie lie) {
    return "/" + lie;
  }

  @ParameterizedTest
  @EnumSource
  void whatALiarDoesNotSendComesFromOthers(Lie lie) throws Exception {
    byte[] content = WRITTEN.get(lie);
    long fromCaches = cluster.bytesFromCaches();
    String datanode = lie == Lie.OTHER_BYTES ? foundOut.next() : idle;
    try (LyingPeer liar = LyingPeer.join(cluster, datanode, path(lie), content, lie)) {
      List<CompletableFuture<byte[]>> reads =
          List.of(cluster.localize(1, path(lie)), cluster.localize(2, path(lie)));
      for (CompletableFuture<byte[]> read : reads) {
        assertThat(equal(read, content)).isTrue();
      }
      assertThat(liar.asked()).isPositive();
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
    try (BroadcastCluster large = BroadcastCluster.start(conf, 1)) {
      byte[] content = large.write("/large", bytes, 1);
      large.add(true);
      large.add(true);
      String stuck = large.add(false);
      large.awaitPeers(3);
      long fromCaches = large.bytesFromCaches();
      long failed = Metrics.sum("OrchestraSwarmPeer", "SwarmsFailed");
      try (LyingPeer liar = LyingPeer.join(large, stuck, "/large", content, lie)) {
        List<CompletableFuture<byte[]>> reads =
            List.of(large.localize(1, "/large"), large.localize(2, "/large"));
        for (CompletableFuture<byte[]> read : reads) {
          assertThat(equal(read, content)).isTrue();
        }
        assertThat(liar.asked()).isPositive();
      }
      large.awaitBytesFromCaches(fromCaches + 2L * bytes);
      assertThat(Metrics.required("OrchestraSwarmPeer", "SwarmsFailed")).isEqualTo(failed);
    }
  }

  @Test
  void whoSentAWrongPieceIsAskedNoMoreAndTold() throws Exception {
    long corrupt = Metrics.sum("OrchestraSwarmPeer", "PiecesCorrupt");
    try (LyingPeer liar = LyingPeer.join(cluster, foundOut.next(), AGAIN, again, Lie.OTHER_BYTES)) {
      List<CompletableFuture<byte[]>> reads =
          List.of(cluster.localize(1, AGAIN), cluster.localize(2, AGAIN));
      for (CompletableFuture<byte[]> read : reads) {
        assertThat(equal(read, again)).isTrue();
      }
      assertThat(liar.callers()).isNotEmpty().doesNotHaveDuplicates();
      assertThat(liar.asked()).isBetween(1, liar.callers().size());
      assertThat(Metrics.sum("OrchestraSwarmPeer", "PiecesCorrupt") - corrupt)
          .isBetween(1L, (long) liar.asked());
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  cluster.receivers(AGAIN).stream()
                      .anyMatch(receiver -> receiver.path("corrupt").asInt() == 1));
    }
  }

  @Test
  void whoSentAWrongPieceOfOneFileIsNotAskedForTheNext() throws Exception {
    String datanode = foundOut.next();
    try (LyingPeer liar = LyingPeer.join(cluster, datanode, FIRST, first, Lie.OTHER_BYTES)) {
      assertThat(equal(cluster.localize(1, FIRST), first)).isTrue();
      assertThat(liar.asked()).isPositive();
    }
    try (LyingPeer liar = LyingPeer.join(cluster, datanode, SECOND, second, Lie.OTHER_BYTES)) {
      assertThat(equal(cluster.localize(1, SECOND), second)).isTrue();
      assertThat(liar.callers()).isEmpty();
      // Of another host, which knows nothing of it.
      assertThat(equal(cluster.localize(2, SECOND), second)).isTrue();
      assertThat(liar.callers()).isNotEmpty();
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

  private static boolean equal(CompletableFuture<byte[]> read, byte[] written) {
    return Arrays.equals(read.orTimeout(2, TimeUnit.MINUTES).join(), written);
  }
}
