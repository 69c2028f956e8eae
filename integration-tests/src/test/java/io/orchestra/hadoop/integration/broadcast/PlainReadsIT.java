package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.broadcast.LyingPeer.Lie;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A swarm that brings less than HDFS would does not keep the file from its reader. */
final class PlainReadsIT {
  private static final int SIZE = 10 * BroadcastCluster.BLOCK;
  private static final int READER = 2;

  private BroadcastCluster cluster;
  private String holder;
  private String stranger;
  private long read;
  private long failed;
  private long fromCaches;

  /** Two hosts without a peer have the replicas, a third one reads. */
  @BeforeEach
  void start() throws IOException {
    cluster = BroadcastCluster.start(BroadcastCluster.configuration(), 0);
    holder = cluster.add(false);
    cluster.add(false);
    read = counter("BytesReadFromHdfs");
    failed = counter("SwarmsFailed");
    fromCaches = cluster.bytesFromCaches();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private byte[] write() throws IOException {
    byte[] content = cluster.write("/file", SIZE, 2);
    cluster.add(true);
    stranger = cluster.add(false);
    cluster.awaitPeers(1);
    return content;
  }

  private byte[] localize(byte[] content, Lie lie) throws IOException {
    // Or the tracker would not let anybody in.
    LyingPeer.pretend(cluster, holder);
    try (LyingPeer liar = LyingPeer.join(cluster, stranger, "/file", content, lie)) {
      byte[] got = cluster.localize(READER, "/file").orTimeout(1, TimeUnit.MINUTES).join();
      assertThat(liar.callers()).isNotEmpty();
      return got;
    }
  }

  private static long counter(String name) {
    return Metrics.sum("OrchestraSwarmPeer", name);
  }

  @Test
  void bytesThatTrickleDoNotHoldUpAFile() throws Exception {
    byte[] content = write();

    assertThat(localize(content, Lie.TRICKLE)).isEqualTo(content);
    cluster.awaitBytesFromCaches(fromCaches + SIZE);
    assertThat(counter("BytesReadFromHdfs") - read).isEqualTo(SIZE);
    assertThat(counter("SwarmsFailed")).isEqualTo(failed);
  }

  @Test
  void whatOneReplicaHasLostIsReadFromAnother() throws Exception {
    byte[] content = write();
    ExtendedBlock block = cluster.firstBlock("/file").getBlock();
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
  }

  @Test
  void aFileOfWhichOneBlockCannotBeReadSoIsLeftToItsReader() throws Exception {
    byte[] content = write();
    ExtendedBlock block = cluster.firstBlock("/file").getBlock();
    for (int host = 0; host < 2; host++) {
      // Their checksums are gone; a client does without them.
      cluster.daemons().getMaterializedReplica(host, block).deleteMeta();
    }

    assertThat(localize(content, Lie.SILENCE)).isEqualTo(content);
    assertThat(counter("SwarmsFailed")).isEqualTo(failed + 1);
    assertThat(counter("BytesReadFromHdfs") - read).isEqualTo(SIZE - BroadcastCluster.BLOCK);
  }
}
