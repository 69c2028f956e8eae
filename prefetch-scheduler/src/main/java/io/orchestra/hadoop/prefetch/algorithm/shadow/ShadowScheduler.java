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

  public ShadowScheduler(ShadowCluster cluster, SchedulerRules rules) {
    this.cluster = cluster;
    this.rules = rules;
    assigner = new ContainerAssigner(rules, cluster);
    reserves = cluster.apps().anyMatch(this::mayReserve);
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
    cluster.root().fairShare().set(cluster.total());
    cluster.root().recomputeShares();
  }

  /**
   * A node reports: what has ended is freed, what fits is allocated.
   *
   * @param now nanoseconds
   */
  void heartbeat(ShadowNode node, long now) {
    List<ShadowContainer> ended =
        node.containers().stream().filter(container -> container.end() <= now).toList();
    ended.forEach(cluster::release);
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
