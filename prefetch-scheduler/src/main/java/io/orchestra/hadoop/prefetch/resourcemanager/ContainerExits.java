package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * How long containers of one job stay after their maps have finished: a JVM has to end, and its
 * host to say so. Not safe for concurrent use.
 */
final class ContainerExits {
  /** A JVM that hangs says nothing of the others. */
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

  private final Map<String, ContainerId> running = new HashMap<>();
  private final Map<ContainerId, Long> finished = new HashMap<>();
  private final Mean delays = new Mean();

  void running(String attempt, ContainerId container) {
    running.put(attempt, container);
  }

  /**
   * @param now nanoseconds
   */
  void finished(String attempt, long now) {
    ContainerId container = running.remove(attempt);
    if (container != null) {
      finished.putIfAbsent(container, now);
    }
  }

  /**
   * Looks which containers have ended since the last time.
   *
   * @param attempts that run still
   * @param now nanoseconds
   */
  void look(Set<String> attempts, Predicate<ContainerId> isLive, long now) {
    running.keySet().retainAll(attempts);
    for (Iterator<Map.Entry<ContainerId, Long>> each = finished.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<ContainerId, Long> container = each.next();
      if (!isLive.test(container.getKey())) {
        delays.increment(Math.min(LONGEST, now - container.getValue()));
        each.remove();
      }
    }
  }

  /** Nanoseconds; 0 before the first. */
  long delay() {
    return delays.getN() == 0 ? 0 : (long) delays.getResult();
  }

  /**
   * When containers are foretold to end whose maps have finished, nanoseconds. Who should have
   * ended already, and may hang, is expected to take as long again.
   *
   * @param now nanoseconds
   */
  Map<ContainerId, Long> ends(long now) {
    Map<ContainerId, Long> ends = new HashMap<>();
    finished.forEach(
        (container, since) -> {
          long end = since + delay();
          ends.put(container, end + 2 * Math.max(0, now - end));
        });
    return ends;
  }
}
