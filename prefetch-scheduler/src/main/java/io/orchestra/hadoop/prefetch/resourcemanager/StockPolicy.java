package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.QueuePolicy;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ResourceVector;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowSchedulable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.SchedulingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.DominantResourceFairnessPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FifoPolicy;

/** The policy that a real queue has, for its shadow: one of Hadoop's own. */
final class StockPolicy implements QueuePolicy {
  private static final Set<Class<? extends SchedulingPolicy>> KNOWN =
      Set.of(FairSharePolicy.class, DominantResourceFairnessPolicy.class, FifoPolicy.class);

  private final SchedulingPolicy policy;
  private final Resource cluster;
  private final Comparator<ShadowSchedulable> comparator;

  /**
   * @param cluster all there is
   * @throws ForeignPolicyException if it is another one, which is not called
   */
  StockPolicy(SchedulingPolicy policy, Resource cluster) {
    if (!KNOWN.contains(policy.getClass())) {
      throw new ForeignPolicyException(policy.getClass().getName());
    }
    this.policy = policy;
    this.cluster = cluster;
    Comparator<Schedulable> stock = policy.getComparator();
    comparator = (a, b) -> stock.compare(SchedulableView.of(a), SchedulableView.of(b));
  }

  @Override
  public Comparator<ShadowSchedulable> comparator() {
    return comparator;
  }

  @Override
  public void computeShares(Collection<? extends ShadowSchedulable> active, ResourceVector total) {
    List<SchedulableView> views = active.stream().map(SchedulableView::of).toList();
    views.forEach(SchedulableView::readFairShare);
    policy.computeShares(views, Vectors.resource(total));
    views.forEach(SchedulableView::writeFairShare);
  }

  @Override
  public boolean isBelow(ResourceVector usage, ResourceVector share) {
    return policy
            .getResourceCalculator()
            .compare(cluster, Vectors.resource(usage), Vectors.resource(share), true)
        < 0;
  }

  @Override
  public boolean isAtLeast(ResourceVector container, ResourceVector threshold) {
    return policy
            .getResourceCalculator()
            .compare(cluster, Vectors.resource(container), Vectors.resource(threshold))
        >= 0;
  }
}
