package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.Streams;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What predictions of the last seconds said. Not safe for concurrent use. */
final class Outlooks {
  /** Nanoseconds after which nobody tells of a launch any more. */
  private static final long LATEST_NEWS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Where tasks are expected away from their input.
   *
   * @param seenAt nanoseconds when that was seen which it follows from
   * @param toldAt nanoseconds since when it has been known
   */
  record Outlook(long seenAt, long toldAt, Map<TaskName, String> nodes) {
    /** Empty if it is expected on a host with its input, or not at all. */
    Optional<String> node(TaskName task) {
      return Optional.ofNullable(nodes.get(task));
    }
  }

  private final long lead;

  /** The oldest first. */
  private final Deque<Outlook> outlooks = new ArrayDeque<>();

  /**
   * @param lead nanoseconds before a launch that are asked about
   */
  Outlooks(long lead) {
    this.lead = lead;
  }

  /** Later than all before. */
  void add(Outlook outlook) {
    outlooks.add(outlook);
    while (outlooks.size() > 1 && isForgotten(second(), outlook.toldAt())) {
      outlooks.remove();
    }
  }

  private Outlook second() {
    Iterator<Outlook> each = outlooks.iterator();
    each.next();
    return each.next();
  }

  /** Nobody will ask any more what was known before this. */
  private boolean isForgotten(Outlook outlook, long now) {
    return now - outlook.toldAt() > lead + LATEST_NEWS;
  }

  /**
   * What was known when the lead was left.
   *
   * @param launch nanoseconds
   */
  Optional<Outlook> before(long launch) {
    return Streams.findLast(outlooks.stream().filter(outlook -> launch - outlook.toldAt() >= lead));
  }
}
