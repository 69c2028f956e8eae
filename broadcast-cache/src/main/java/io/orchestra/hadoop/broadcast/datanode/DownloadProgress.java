package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How far a download is, and where its bytes came from. Safe for concurrent use. */
final class DownloadProgress {
  private final int pieces;
  private final int atStart;
  private final long started;

  // Guarded by this.
  private final Set<String> sources = new HashSet<>();
  private final Map<String, Transfer> unannounced = new HashMap<>();
  private int present;
  private long last;
  private long lastFromNeighbours;
  private long fromSeeds;
  private long fromPeers;
  private long fromHdfs;
  private int corrupt;
  private Optional<String> outcome = Optional.empty();

  /**
   * Bytes of pieces that came from one DataNode.
   *
   * @param nanos from the first to the last byte of each piece, added up
   */
  record Transfer(long bytes, long nanos) {
    Transfer plus(Transfer other) {
      return new Transfer(bytes + other.bytes, nanos + other.nanos);
    }
  }

  DownloadProgress(int pieces, int present, long now) {
    this.pieces = pieces;
    this.atStart = present;
    this.present = present;
    started = now;
    last = now;
    lastFromNeighbours = now;
  }

  synchronized void received(
      String datanode, boolean seed, Transfer transfer, int nowPresent, long now) {
    present = nowPresent;
    last = now;
    lastFromNeighbours = now;
    if (seed) {
      fromSeeds += transfer.bytes();
    } else {
      fromPeers += transfer.bytes();
    }
    sources.add(datanode);
    unannounced.merge(datanode, transfer, Transfer::plus);
  }

  /** Bytes were read from a replica without the swarm. */
  synchronized void read(long bytes, int nowPresent, long now) {
    present = nowPresent;
    last = now;
    fromHdfs += bytes;
  }

  synchronized void corrupt() {
    corrupt++;
  }

  synchronized void ended(String how) {
    outcome = Optional.of(how);
  }

  int pieces() {
    return pieces;
  }

  synchronized int present() {
    return present;
  }

  /** When the last piece came, or the download began; {@link System#nanoTime}. */
  synchronized long last() {
    return last;
  }

  synchronized long fromPeers() {
    return fromPeers;
  }

  /** When a neighbour has sent a piece last, or the download began. */
  synchronized long lastFromNeighbours() {
    return lastFromNeighbours;
  }

  /** Whether any neighbour has sent a piece. */
  synchronized boolean isFruitful() {
    return fromSeeds + fromPeers > 0;
  }

  /** Bytes that have come, wherever from. */
  synchronized long arrived() {
    return fromSeeds + fromPeers + fromHdfs;
  }

  /** Bytes that replicas have given, in the swarm or without it. */
  synchronized long fromReplicas() {
    return fromSeeds + fromHdfs;
  }

  synchronized int corrupted() {
    return corrupt;
  }

  /** What came since the last call, by UUID of the DataNode. */
  synchronized Map<String, Transfer> drainTransfers() {
    Map<String, Transfer> drained = ImmutableMap.copyOf(unannounced);
    unannounced.clear();
    return drained;
  }

  @Override
  public synchronized String toString() {
    return "%s, %d of %d pieces (%d were here) in %d ms, %d bytes from replicas (%d without the swarm), %d from peers, %d neighbours"
        .formatted(
            outcome.orElse("under way"),
            present,
            pieces,
            atStart,
            (last - started) / 1_000_000,
            fromSeeds + fromHdfs,
            fromHdfs,
            fromPeers,
            sources.size());
  }
}
