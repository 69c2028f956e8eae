package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/** What the Fair Scheduler shows only within its package. Callers hold its read lock. */
public final class FairSchedulerState {
  private static final Field ALLOWED_LOCALITY = allowedLocality();

  private FairSchedulerState() {}

  /** What application masters of a queue use. */
  public static Resource amUsage(FSLeafQueue queue) {
    return queue.getAmResourceUsage();
  }

  /** Applications that wait for a place in their queue. */
  public static List<FSAppAttempt> nonRunnable(FSLeafQueue queue) {
    return queue.getCopyOfNonRunnableAppSchedulables();
  }

  /** Whether an application has been chosen to make up for its queue's unmet minimum. */
  public static boolean isMinShareStarved(FSAppAttempt app) {
    return !Resources.isNone(app.getMinshareStarvation());
  }

  /** Whether allowed localities can be read in this version of Hadoop. */
  public static boolean showsAllowedLocality() {
    return ALLOWED_LOCALITY != null;
  }

  /**
   * How far from its data an application may get a container now; null before the first offer, or
   * if it cannot be read. FSAppAttempt.getAllowedLocalityLevel would change it.
   */
  public static NodeType allowedLocality(FSAppAttempt app, SchedulerRequestKey key) {
    if (ALLOWED_LOCALITY == null) {
      return null;
    }
    try {
      return (NodeType) ((Map<?, ?>) ALLOWED_LOCALITY.get(app)).get(key);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("FSAppAttempt.allowedLocalityLevel was readable before", e);
    }
  }

  private static Field allowedLocality() {
    try {
      Field field = FSAppAttempt.class.getDeclaredField("allowedLocalityLevel");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException | RuntimeException e) {
      return null;
    }
  }
}
