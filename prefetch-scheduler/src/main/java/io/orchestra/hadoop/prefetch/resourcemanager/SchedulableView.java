package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowSchedulable;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;

/**
 * A queue or an application of the shadow as Hadoop's policies see one. What it returns is valid
 * until the next call of the same method.
 */
final class SchedulableView implements Schedulable {
  /** FSAppAttempt 118 and FSQueue 209: all are equal. */
  private static final Priority PRIORITY = Priority.newInstance(1);

  private final ShadowSchedulable shadow;
  private final Resource usage;
  private final Resource demand;
  private final Resource minShare;
  private final Resource maxShare;
  private final Resource fairShare;

  private SchedulableView(ShadowSchedulable shadow) {
    this.shadow = shadow;
    usage = Vectors.resource(shadow.usage());
    demand = Vectors.resource(shadow.demand());
    minShare = Vectors.resource(shadow.minShare());
    maxShare = Vectors.resource(shadow.maxShare());
    fairShare = Vectors.resource(shadow.fairShare());
  }

  static SchedulableView of(ShadowSchedulable shadow) {
    if (shadow.view() == null) {
      shadow.setView(new SchedulableView(shadow));
    }
    return (SchedulableView) shadow.view();
  }

  @Override
  public String getName() {
    return shadow.name();
  }

  @Override
  public Resource getDemand() {
    Vectors.write(shadow.demand(), demand);
    return demand;
  }

  @Override
  public Resource getResourceUsage() {
    Vectors.write(shadow.usage(), usage);
    return usage;
  }

  @Override
  public Resource getMinShare() {
    return minShare;
  }

  @Override
  public Resource getMaxShare() {
    return maxShare;
  }

  @Override
  public float getWeight() {
    return (float) shadow.weight();
  }

  @Override
  public long getStartTime() {
    return shadow.startTime();
  }

  @Override
  public Priority getPriority() {
    return PRIORITY;
  }

  /** Policies write into what this returns (ComputeFairShares 130). */
  @Override
  public Resource getFairShare() {
    return fairShare;
  }

  @Override
  public void setFairShare(Resource share) {
    for (int type = 0; type < shadow.fairShare().size(); type++) {
      fairShare.setResourceValue(type, share.getResourceInformation(type).getValue());
    }
  }

  void readFairShare() {
    Vectors.write(shadow.fairShare(), fairShare);
  }

  void writeFairShare() {
    Vectors.write(fairShare, shadow.fairShare());
  }

  @Override
  public void updateDemand() {
    throw new UnsupportedOperationException("a shadow's demand is its own");
  }

  @Override
  public Resource assignContainer(FSSchedulerNode node) {
    throw new UnsupportedOperationException("a shadow takes no node");
  }

  @Override
  public boolean isPreemptable() {
    return false;
  }
}
