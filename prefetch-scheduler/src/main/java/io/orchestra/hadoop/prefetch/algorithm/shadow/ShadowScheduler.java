package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.List;

/**
 * The Fair Scheduler's decisions on a {@link ShadowCluster}: heartbeats bring containers, updates
 * bring demands up to date (FairScheduler 359 and 1027-1200). Preemption is left out.
 */
public final class ShadowScheduler {
  private final ShadowCluster cluster;
  private final SchedulerRules rules;
  private final ContainerAssigner assigner;
  private final boolean reserves;

  /** Whether fair shares change: all that they follow from but such weights stays as it is. */
  private final boolean weighsBySize;

  private boolean areSharesKnown;

  public ShadowScheduler(ShadowCluster cluster, SchedulerRules rules) {
    this.cluster = cluster;
    this.rules = rules;
    assigner = new ContainerAssigner(rules, cluster);
    reserves = cluster.apps().anyMatch(this::mayReserve);
    weighsBySize = cluster.apps().anyMatch(ShadowApp::weighsBySize);
  }

  private boolean mayReserve(ShadowApp app) {
    QueuePolicy policy = app.parent().policy();
    return app.allAsks().anyMatch(ask -> ask.isLarge(policy, rules.reservationThreshold()));
  }

  ShadowCluster cluster() {
    return cluster;
  }

  /** Recomputes demands and fair shares, which stay as they are until the next time. */
  void update() {
    cluster.root().updateDemand();
    if (weighsBySize || !areSharesKnown) {
      cluster.root().fairShare().set(cluster.total());
      cluster.root().recomputeShares();
      areSharesKnown = true;
    }
  }

  /**
   * A node reports: what has ended is freed, what fits is allocated.
   *
   * @param now nanoseconds
   */
  void heartbeat(ShadowNode node, long now) {
    releaseEnded(node, now);
    if (node.isReserved() && assigner.offerReserved(node)) {
      return;
    }
    ResourceVector half = half(node.available());
    ResourceVector assigned = ResourceVector.zero(half.size());
    int containers = 0;
    while (!node.isReserved()) {
      if (!reserves && !cluster.smallest().fitsIn(node.available())) {
        passOver(node);
        return;
      }
      Outcome outcome = cluster.root().offer(node, assigner);
      // FairScheduler 1162 takes a container of no size for none, or would never end.
      if (outcome.capability() == null || outcome.capability().isZero()) {
        return;
      }
      containers++;
      assigned.add(outcome.capability(), 1);
      if (!mayGoOn(containers, assigned, half)) {
        return;
      }
    }
  }

  /** Of thousands of heartbeats in a run nearly all find that nothing has ended. */
  private void releaseEnded(ShadowNode node, long now) {
    List<ShadowContainer> containers = node.containers();
    int number = 0;
    while (number < containers.size()) {
      ShadowContainer container = containers.get(number);
      if (container.end() <= now) {
        // Takes it out of the list.
        cluster.release(container);
      } else {
        number++;
      }
    }
  }

  /** Most nodes are full; to offer one changes only how long others have waited. */
  private void passOver(ShadowNode node) {
    if (rules.delays()) {
      cluster.root().passOver(node, assigner);
    }
  }

  private boolean mayGoOn(int containers, ResourceVector assigned, ResourceVector half) {
    if (!rules.assignMultiple()) {
      return false;
    }
    return rules.dynamicMaximum()
        ? assigned.fitsIn(half)
        : rules.maximum() <= 0 || containers < rules.maximum();
  }

  private static ResourceVector half(ResourceVector available) {
    ResourceVector half = available.copy();
    for (int resource = 0; resource < half.size(); resource++) {
      half.set(resource, (long) (half.value(resource) * 0.5));
    }
    return half;
  }
}
