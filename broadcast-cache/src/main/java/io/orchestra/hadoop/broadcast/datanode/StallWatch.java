package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says who and what takes too long. A piece takes long where links are slow, but bytes come all the
 * time then, and it does not take for ever. While this process itself stands still nothing can
 * come: such a time does not count. Times are those of {@link System#nanoTime}.
 *
 * <p>For one thread at a time.
 */
final class StallWatch {
  /** Nanoseconds: this process, or this machine, has stood still itself. */
  private static final long LONG_TICK = 1_000_000_000L;

  private final DownloadProgress progress;
  private final long limit;
  private final long longest;
  private long lastLook;
  private long lastTick;

  // Of several only one counts: a clock that is always late excuses only its delay.
  private Sleep lastSleep;
  private Sleep longestSleep;

  private long nextPatience;

  /**
   * A time for which this process stood still.
   *
   * @param end when it went on
   */
  private record Sleep(long length, long end) {
    /** The part of the last so many nanoseconds that it is not. */
    long awake(long nanos, long now) {
      long after = now - end;
      return nanos < after ? nanos : Math.max(after, nanos - length);
    }

    /** Since when so many nanoseconds have passed that it is not. */
    long since(long nanos, long now) {
      return now - end > nanos ? now - nanos : now - nanos - length;
    }
  }

  /**
   * @param pieceLength bytes
   */
  StallWatch(BroadcastConfig config, DownloadProgress progress, int pieceLength, long now) {
    this.progress = progress;
    limit = config.stallTimeout().toNanos();
    longest = config.longestPiece(pieceLength).toNanos();
    lastLook = now;
    lastTick = now;
    lastSleep = new Sleep(0, now);
    longestSleep = lastSleep;
    nextPatience = limit / 4;
  }

  /** A few times a second, before all else. */
  void tick(long now) {
    long sinceTick = now - lastTick;
    lastTick = now;
    if (sinceTick > LONG_TICK) {
      lastSleep = new Sleep(sinceTick, now);
      boolean isOver = now - longestSleep.end() > longest + limit / 2;
      longestSleep = isOver || sinceTick >= longestSleep.length() ? lastSleep : longestSleep;
    }
  }

  /** The part of the last so many nanoseconds that counts. */
  private long awake(long nanos, long now) {
    return Math.min(lastSleep.awake(nanos, now), longestSleep.awake(nanos, now));
  }

  /** Since when so many nanoseconds have passed that count. */
  private long since(long nanos, long now) {
    return Math.min(lastSleep.since(nanos, now), longestSleep.since(nanos, now));
  }

  /** Neighbours that have been asked for something before this time are to have sent some of it. */
  long silentSince(long now) {
    return since(limit, now);
  }

  /** The same, all of it. */
  long slowSince(long now) {
    return since(longest, now);
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
        .filter(
            neighbour ->
                awake(now - neighbour.lastByte(), now) > limit || evenLonger.contains(neighbour))
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
   * @param helped whether replicas are read meanwhile; otherwise other neighbours are asked first
   *     when the last one is left, which is after the limit
   */
  Optional<String> verdict(long idle, boolean helped, long now) {
    long whole = now - progress.last();
    if (awake(idle, now) <= (helped ? limit : limit + limit / 2)
        && awake(whole, now) <= longest + limit / 2) {
      return Optional.empty();
    }
    return Optional.of("nothing has come for %d ms".formatted(whole / 1_000_000));
  }

  /**
   * Whether other neighbours are needed; not true again for a while, and then for ever longer.
   *
   * @param idle how long no byte has come from neighbours
   */
  boolean needsMore(long idle, long now) {
    if (idle <= limit / 4) {
      nextPatience = limit / 4;
      return false;
    }
    boolean needed = now - lastLook > nextPatience;
    if (needed) {
      lastLook = now;
      nextPatience *= 2;
    }
    return needed;
  }
}
