package io.orchestra.hadoop.shuffle.reduce;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * Map outputs that are not to be fetched yet, since their sizes are being asked for. As long as the
 * first of all are waiting, not all is known that weights need. For one thread at a time.
 */
final class Arrivals {
  private final long patienceMillis;

  /** Oldest first. */
  private final Map<TaskAttemptID, Arrival> waiting = new LinkedHashMap<>();

  private boolean begun;

  /**
   * @param patienceMillis for which an output waits at most
   */
  Arrivals(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /**
   * An output that waits.
   *
   * @param untilMillis when it waits no longer
   */
  record Arrival(TaskAttemptID output, String host, long untilMillis) {}

  void add(TaskAttemptID output, String host, long nowMillis) {
    waiting.putIfAbsent(output, new Arrival(output, host, nowMillis + patienceMillis));
  }

  /** The output's size is known, or will not be. */
  void settled(TaskAttemptID output) {
    waiting.remove(output);
    begun |= waiting.isEmpty();
  }

  /** Those that have waited for too long, which wait no more. */
  List<Arrival> overdue(long nowMillis) {
    List<Arrival> overdue = new ArrayList<>();
    Iterator<Arrival> oldest = waiting.values().iterator();
    while (oldest.hasNext()) {
      Arrival arrival = oldest.next();
      if (arrival.untilMillis() > nowMillis) {
        break;
      }
      oldest.remove();
      overdue.add(arrival);
    }
    begun |= !overdue.isEmpty();
    return overdue;
  }

  /** Whether the first outputs wait no more. */
  boolean haveBegun() {
    return begun;
  }

  /** How long to wait for the next that is overdue, but no longer than said. */
  long untilOverdue(long nowMillis, long longestMillis) {
    Iterator<Arrival> oldest = waiting.values().iterator();
    return oldest.hasNext()
        ? Math.min(longestMillis, oldest.next().untilMillis() - nowMillis)
        : longestMillis;
  }
}
