package io.orchestra.hadoop.broadcast.datanode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pieces that a receiver is yet to be told of. Each of its neighbours is told of each piece, and a
 * message costs both sides more than its bytes: so news waits for more of it, but not for long, and
 * not if there was none for a while. News that goes with a piece costs nothing.
 *
 * <p>Not safe for concurrent use. Times are those of {@link System#nanoTime}.
 */
final class News {
  /** So many pieces are told at once. */
  static final int ENOUGH = 4;

  /** From one message to the next that tells of fewer, at least. */
  static final Duration INTERVAL = Duration.ofMillis(200);

  private final List<Integer> pieces = new ArrayList<>();
  private long told;

  News(long now) {
    told = now - INTERVAL.toNanos();
  }

  void add(int piece) {
    pieces.add(piece);
  }

  boolean isDue(long now) {
    return pieces.size() >= ENOUGH || (!pieces.isEmpty() && now - told >= INTERVAL.toNanos());
  }

  /** What is told now. */
  List<Integer> take(long now) {
    List<Integer> taken = List.copyOf(pieces);
    pieces.clear();
    told = now;
    return taken;
  }
}
