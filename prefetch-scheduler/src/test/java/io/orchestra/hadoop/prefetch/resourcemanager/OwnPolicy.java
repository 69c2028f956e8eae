package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.Collection;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy;

/** A site's own policy; like Hadoop's there is one for all queues. */
public final class OwnPolicy extends FairSharePolicy {
  private static final AtomicLong CALLS = new AtomicLong();

  /** An allocation file that names it. */
  static String queues() {
    return """
        <?xml version="1.0"?>
        <allocations>
          <queue name="q"><schedulingPolicy>%s</schedulingPolicy></queue>
        </allocations>
        """
        .formatted(OwnPolicy.class.getName());
  }

  /** How often it was asked for its order, or for shares. */
  static long calls() {
    return CALLS.get();
  }

  @Override
  public String getName() {
    return "own";
  }

  @Override
  public Comparator<Schedulable> getComparator() {
    CALLS.incrementAndGet();
    return super.getComparator();
  }

  @Override
  public void computeShares(
      Collection<? extends Schedulable> schedulables, Resource totalResources) {
    CALLS.incrementAndGet();
    super.computeShares(schedulables, totalResources);
  }
}
