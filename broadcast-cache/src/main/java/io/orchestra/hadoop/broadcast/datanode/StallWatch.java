package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says who and what takes too long. A piece takes long where links are slow, but bytes come all the
 * time then, and it does not take for ever. Times are those of {@link System#nanoTime}.
 *
 * <p>For one thread at a time.
 */
final class StallWatch {
  private final DownloadProgress progress;
  private final long limit;
  private final long longest;
  private long lastLook;

  /**
   * @param pieceLength bytes
   */
  StallWatch(BroadcastConfig config, DownloadProgress progress, int pieceLength, long now) {
    this.progress = progress;
    limit = config.stallTimeout().toNanos();
    longest = config.longestPiece(pieceLength).toNanos();
    lastLook = now;
  }

  /** Neighbours that have been asked for something before this time are to have sent some of it. */
  long silentSince(long now) {
    return now - limit;
  }

  /** The same, all of it. */
  long slowSince(long now) {
    return now - longest;
  }

  /**
   * Whom to leave.
   *
   * @param silent who have sent no piece since {@link #silentSince}
   * @param slow the same since {@link #slowSince}
   */
  List<NeighbourConnection> tooSlow(
      Collection<NeighbourConnection> silent, Collection<NeighbourConnection> slow, long now) {
    Set<NeighbourConnection> evenLonger = Set.copyOf(slow);
    return silent.stream()
        .filter(neighbour -> now - neighbour.lastByte() > limit || evenLonger.contains(neighbour))
        .toList();
  }

  /** How long no byte of a piece has come from neighbours. */
  long idle(Collection<NeighbourConnection> neighbours, long now) {
    long idle = now - progress.lastFromNeighbours();
    for (NeighbourConnection neighbour : neighbours) {
      if (neighbour.hasSentBytes()) {
        idle = Math.min(idle, now - neighbour.lastByte());
      }
    }
    return idle;
  }

  /**
   * Why to give up.
   *
   * @param idle how long no byte has come from anybody
   */
  Optional<String> verdict(long idle, long now) {
    return idle > limit || now - progress.last() > longest + limit / 2
        ? Optional.of("nothing has come for %d ms".formatted(idle / 1_000_000))
        : Optional.empty();
  }

  /**
   * Whether other neighbours are needed; not true again for a while.
   *
   * @param idle how long no byte has come from neighbours
   */
  boolean needsMore(long idle, long now) {
    long patience = limit / 4;
    boolean needed = idle > patience && now - lastLook > patience;
    lastLook = needed ? now : lastLook;
    return needed;
  }
}
