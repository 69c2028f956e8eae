package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** What is known of MapReduce jobs, by their application masters. Safe for concurrent use. */
public final class Jobs {
  private final Map<ApplicationAttemptId, JobView> views = new ConcurrentHashMap<>();

  public void put(ApplicationAttemptId master, JobView view) {
    views.put(master, view);
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
