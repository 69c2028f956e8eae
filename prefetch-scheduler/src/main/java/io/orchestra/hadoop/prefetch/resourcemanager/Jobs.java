package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** What is known of MapReduce jobs, by their application masters. Safe for concurrent use. */
public final class Jobs {
  private final Map<ApplicationAttemptId, JobView> views = new ConcurrentHashMap<>();
  private final AtomicLong heard = new AtomicLong();

  /** Read while a report is taken. */
  private final ReadWriteLock reports = new ReentrantReadWriteLock();

  /**
   * An application master has reported.
   *
   * @param launches tells those who judge or use predictions what the report says of launches
   */
  void put(ApplicationAttemptId master, JobView view, Runnable launches) {
    reports.readLock().lock();
    try {
      // First the view: predictions that begin after a launch was told of know of it.
      views.put(master, view);
      launches.run();
    } finally {
      reports.readLock().unlock();
    }
  }

  /** The same, where nobody judges or uses predictions. */
  @VisibleForTesting
  public void put(ApplicationAttemptId master, JobView view) {
    put(master, view, () -> {});
  }

  /**
   * Waits until all are told of the launches in views that are here. A prediction that follows from
   * a view names what the report says to be launched no more, which else looks as if it were not
   * foretold.
   */
  void awaitLaunches() {
    Lock exclusive = reports.writeLock();
    exclusive.lock();
    exclusive.unlock();
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
