package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
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
 * copy. Asks come back besides, without a call and without that lock, when a container is lost of
 * which its master has not heard; what tells how much is asked for anywhere is another object then,
 * too (AppSchedulingInfo 443).
 */
final class AsksAhead {
  private static final Logger LOG = LoggerFactory.getLogger(AsksAhead.class);

  /**
   * What an application asked for.
   *
   * @param isKnown whether it was copied what its master was told
   */
  private record Copy(AppCopy app, boolean isKnown, long calls, Resource usage, Resource pending) {}

  private final ToLongFunction<ApplicationAttemptId> calls;
  private final Map<ApplicationAttemptId, Copy> copies = new HashMap<>();
  private final Map<ApplicationAttemptId, TooManyAsksException> refused = new HashMap<>();

  private AsksAhead(ToLongFunction<ApplicationAttemptId> calls) {
    this.calls = calls;
  }

  /**
   * Copies what all applications ask for. Needs no lock of the scheduler.
   *
   * @param calls how often calls of an application master have begun and ended
   * @param isKnown whether it matters what an application master was told
   * @param isTooLong asked again and again whether this has taken too long
   * @throws TooLargeException if it has
   */
  static AsksAhead of(
      FairScheduler scheduler,
      ToLongFunction<ApplicationAttemptId> calls,
      Predicate<ApplicationAttemptId> isKnown,
      BooleanSupplier isTooLong) {
    AsksAhead ahead = new AsksAhead(calls);
    int nodes = scheduler.getNumClusterNodes();
    for (SchedulerApplication<FSAppAttempt> app : scheduler.getSchedulerApplications().values()) {
      FSAppAttempt attempt = app.getCurrentAppAttempt();
      if (attempt != null && !attempt.isStopped()) {
        if (isTooLong.getAsBoolean()) {
          // Nothing else ends it: without the lock nobody waits, but memory is not without end.
          throw new TooLargeException();
        }
        ahead.add(attempt, isKnown.test(attempt.getApplicationAttemptId()), nodes);
      }
    }
    return ahead;
  }

  private void add(FSAppAttempt app, boolean isKnown, int nodes) {
    ApplicationAttemptId attempt = app.getApplicationAttemptId();
    // Before the asks, or what changes while they are copied would go unseen.
    long callsBefore = calls.applyAsLong(attempt);
    Resource usageBefore = app.getResourceUsage();
    Resource pendingBefore = pending(app);
    try {
      AppCopy copy = AppCopy.of(app, isKnown, nodes);
      copies.put(attempt, new Copy(copy, isKnown, callsBefore, usageBefore, pendingBefore));
    } catch (TooManyAsksException e) {
      refused.put(attempt, e);
    } catch (RuntimeException e) {
      // It is copied with the lock then, and if that fails as well somebody hears of it.
      LOG.debug("What {} asks for could not be copied ahead", attempt, e);
    }
  }

  /**
   * What an application asks for, if that is as it was; only once, as who takes it changes it. The
   * caller holds the scheduler's read lock.
   *
   * @param isKnown whether it matters what its master was told
   * @throws TooManyAsksException if that was so: to look again would hold the scheduler up
   */
  @SuppressWarnings("ReferenceEquality") // The same amount may have been another one in between.
  Optional<AppCopy> take(FSAppAttempt app, boolean isKnown) {
    ApplicationAttemptId attempt = app.getApplicationAttemptId();
    if (refused.containsKey(attempt)) {
      throw refused.get(attempt);
    }
    return Optional.ofNullable(copies.remove(attempt))
        .filter(copy -> copy.app().real() == app)
        .filter(copy -> copy.isKnown() || !isKnown)
        .filter(copy -> copy.calls() == calls.applyAsLong(attempt))
        .filter(copy -> copy.usage() == app.getResourceUsage())
        .filter(copy -> copy.pending() == pending(app))
        .map(Copy::app);
  }

  private static Resource pending(FSAppAttempt app) {
    return app.getAppAttemptResourceUsage().getPending();
  }
}
