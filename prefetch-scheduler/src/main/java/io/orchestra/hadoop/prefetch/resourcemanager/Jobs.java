package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** What is known of MapReduce jobs, by their application masters. Safe for concurrent use. */
public final class Jobs {
  private final Map<ApplicationAttemptId, JobView> views = new ConcurrentHashMap<>();
  private final AtomicLong heard = new AtomicLong();

  public void put(ApplicationAttemptId master, JobView view) {
    views.put(master, view);
  }

  /** One more application master has told of its job. */
  void heardOfAnother() {
    heard.incrementAndGet();
  }

  /** How many application masters have ever told of their jobs. */
  long heard() {
    return heard.get();
  }

  public void remove(ApplicationAttemptId master) {
    views.remove(master);
  }

  Optional<JobView> view(ApplicationAttemptId master) {
    return Optional.ofNullable(views.get(master));
  }

  boolean isEmpty() {
    return views.isEmpty();
  }
}
