package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How far a download is, and where its bytes came from. Safe for concurrent use. */
final class DownloadProgress {
  private final int pieces;
  private final int atStart;
  private final long started;

  // Guarded by this.
  private final Map<String, Source> sources = new HashMap<>();
  private int present;
  private long last;
  private long fromSeeds;
  private long fromPeers;
  private int corrupt;
  private Optional<String> outcome = Optional.empty();

  /** Pieces that came from one DataNode, one after the other. */
  record Source(int pieces, long firstNanos, long lastNanos) {
    /** From one piece to the next, milliseconds; NaN if there were fewer than two. */
    double millisPerPiece() {
      return pieces < 2 ? Double.NaN : (lastNanos - firstNanos) / 1e6 / (pieces - 1);
    }
  }

  DownloadProgress(int pieces, int present, long now) {
    this.pieces = pieces;
    this.atStart = present;
    this.present = present;
    started = now;
    last = now;
  }

  synchronized void received(String datanode, boolean seed, int bytes, int nowPresent, long now) {
    present = nowPresent;
    last = now;
    if (seed) {
      fromSeeds += bytes;
    } else {
      fromPeers += bytes;
    }
    sources.merge(
        datanode,
        new Source(1, now, now),
        (old, one) -> new Source(old.pieces() + 1, old.firstNanos(), now));
  }

  synchronized void corrupt() {
    corrupt++;
  }

  synchronized void whole() {
    outcome = Optional.of("whole");
  }

  synchronized void failed(String reason) {
    outcome = Optional.of(reason);
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

  synchronized long fromSeeds() {
    return fromSeeds;
  }

  synchronized long fromPeers() {
    return fromPeers;
  }

  synchronized int corrupted() {
    return corrupt;
  }

  /** By UUID of the DataNode. */
  synchronized Map<String, Source> sources() {
    return ImmutableMap.copyOf(sources);
  }

  @Override
  public synchronized String toString() {
    return "%s, %d of %d pieces (%d were here) in %d ms, %d bytes from replicas, %d from peers, %d neighbours"
        .formatted(
            outcome.orElse("under way"),
            present,
            pieces,
            atStart,
            (last - started) / 1_000_000,
            fromSeeds,
            fromPeers,
            sources.size());
  }
}
