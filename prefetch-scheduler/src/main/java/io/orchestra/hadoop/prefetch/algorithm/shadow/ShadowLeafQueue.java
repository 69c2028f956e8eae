package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A queue of applications. */
public final class ShadowLeafQueue extends ShadowQueue {
  private final List<ShadowApp> apps = new ArrayList<>();
  private final ResourceVector amUsage;

  /**
   * @param amUsage what application masters of this queue use
   */
  public ShadowLeafQueue(
      String name,
      ShadowParentQueue parent,
      Limits limits,
      QueuePolicy policy,
      ResourceVector usage,
      ResourceVector demand,
      ResourceVector fairShare,
      ResourceVector amUsage) {
    super(name, parent, limits, policy, usage, demand, fairShare);
    this.amUsage = amUsage.copy();
  }

  void addApp(ShadowApp app) {
    apps.add(app);
  }

  List<ShadowApp> apps() {
    return apps;
  }

  ResourceVector amUsage() {
    return amUsage;
  }

  @Override
  Collection<ShadowApp> members() {
    return apps;
  }

  /** FSLeafQueue 400: who has had more or less than he wanted at the last update. */
  @Override
  boolean takesPart(ShadowSchedulable member) {
    return ((ShadowApp) member).isRunnable() && !member.demand().equalTo(member.usage());
  }

  @Override
  boolean isActive() {
    return apps.stream().anyMatch(ShadowApp::isRunnable);
  }

  @Override
  void recomputeShares() {
    policy().computeShares(apps.stream().filter(ShadowApp::isRunnable).toList(), fairShare());
  }

  @Override
  Outcome offer(ShadowNode node, ContainerAssigner assigner) {
    if (!accepts(node)) {
      return Outcome.NOTHING;
    }
    for (ShadowSchedulable member : order()) {
      ShadowApp app = (ShadowApp) member;
      if (!app.avoids(node)) {
        Outcome outcome = assigner.offer(app, node);
        if (outcome != Outcome.NOTHING) {
          return outcome;
        }
      }
    }
    return Outcome.NOTHING;
  }
}
