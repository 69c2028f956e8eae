package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A queue of applications. */
public final class ShadowLeafQueue extends ShadowQueue {
  private final List<ShadowApp> apps = new ArrayList<>();
  private final ResourceVector amUsage;

  /** Full nodes that were offered to all applications that do nothing but count them. */
  private long passed;

  /** No container that these ask for is larger in any resource. */
  private final ResourceVector largest;

  /** The others that are offered nodes. */
  private final Set<ShadowApp> particular = new LinkedHashSet<>();

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
    largest = ResourceVector.zero(usage.size());
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
      app.count(passed);
      if (!app.avoids(node)) {
        Outcome outcome = assigner.offer(app, node);
        if (outcome != Outcome.NOTHING) {
          return outcome;
        }
      }
    }
    return Outcome.NOTHING;
  }

  /** Most nodes are full, and most applications only count them: all at once, here. */
  @Override
  void passOver(ShadowNode node, ContainerAssigner assigner) {
    if (!accepts(node)) {
      return;
    }
    if (!largest.fitsIn(node.total()) || !hasRoomFor(largest)) {
      offer(node, assigner);
      return;
    }
    passed++;
    for (ShadowApp app : particular) {
      if (!app.avoids(node)) {
        assigner.offer(app, node);
      }
    }
  }

  @Override
  void joined(ShadowSchedulable member) {
    ShadowApp app = (ShadowApp) member;
    if (app.onlyCounts()) {
      app.startCounting(passed);
      largest.raise(app.asks().get(0).capability());
    } else {
      particular.add(app);
    }
  }

  @Override
  void left(ShadowSchedulable member) {
    ShadowApp app = (ShadowApp) member;
    particular.remove(app);
    app.stopCounting(passed);
  }

  /** Lets an application ask for something else. */
  void change(ShadowApp app, Runnable asks) {
    changed();
    boolean offered = particular.contains(app) || app.isCounting();
    if (offered) {
      left(app);
    }
    asks.run();
    if (offered) {
      joined(app);
    }
  }
}
