package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What applications ask for, copied before the scheduler is locked: most of what there is to copy
 * is asks, and few of them change meanwhile. Those of an application that may have changed are not
 * given out, so that they are copied anew. Not safe for concurrent use.
 *
 * <p>Application masters change asks in their calls, of which each counts twice: when it begins and
 * when it has ended. The scheduler changes them when it allocates, and after that puts another
 * object in the place of what tells the application's usage (FSAppAttempt 465-467,
 * AbstractResourceUsage 176): while that is the same nothing has been allocated since before the
 * copy. Asks that come back when a container is lost of which its master has not heard are seen as
 * they were before that or after it, as they are with the scheduler's lock.
 */
final class AsksAhead {
  private static final Logger LOG = LoggerFactory.getLogger(AsksAhead.class);

  private record Copy(AppCopy app, long calls, Resource usage) {}

  private final ToLongFunction<ApplicationAttemptId> calls;
  private final Map<ApplicationAttemptId, Copy> copies = new HashMap<>();

  private AsksAhead(ToLongFunction<ApplicationAttemptId> calls) {
    this.calls = calls;
  }

  /**
   * Copies what all applications ask for. Needs no lock of the scheduler.
   *
   * @param calls how often calls of an application master have begun and ended
   */
  static AsksAhead of(FairScheduler scheduler, ToLongFunction<ApplicationAttemptId> calls) {
    AsksAhead ahead = new AsksAhead(calls);
    int nodes = scheduler.getNumClusterNodes();
    for (SchedulerApplication<FSAppAttempt> app : scheduler.getSchedulerApplications().values()) {
      FSAppAttempt attempt = app.getCurrentAppAttempt();
      if (attempt != null && !attempt.isStopped()) {
        ahead.add(attempt, nodes);
      }
    }
    return ahead;
  }

  private void add(FSAppAttempt app, int nodes) {
    ApplicationAttemptId attempt = app.getApplicationAttemptId();
    // Before the asks, or what changes while they are copied would go unseen.
    long callsBefore = calls.applyAsLong(attempt);
    Resource usageBefore = app.getResourceUsage();
    try {
      copies.put(attempt, new Copy(AppCopy.of(app, nodes), callsBefore, usageBefore));
    } catch (RuntimeException e) {
      // It is copied with the lock then, and if that fails as well somebody hears of it.
      LOG.debug("What {} asks for could not be copied ahead", attempt, e);
    }
  }

  /**
   * What an application asks for, if that is as it was; only once, as who takes it changes it. The
   * caller holds the scheduler's read lock.
   */
  @SuppressWarnings("ReferenceEquality") // The same amount may have been another one in between.
  Optional<AppCopy> take(FSAppAttempt app) {
    ApplicationAttemptId attempt = app.getApplicationAttemptId();
    return Optional.ofNullable(copies.remove(attempt))
        .filter(copy -> copy.app().real() == app)
        .filter(copy -> copy.calls() == calls.applyAsLong(attempt))
        .filter(copy -> copy.usage() == app.getResourceUsage())
        .map(Copy::app);
  }
}
