package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A queue of queues. */
public final class ShadowParentQueue extends ShadowQueue {
  private final List<ShadowQueue> children = new ArrayList<>();

  /**
   * @param parent null for the root
   */
  public ShadowParentQueue(
      String name,
      ShadowParentQueue parent,
      Limits limits,
      QueuePolicy policy,
      ResourceVector usage,
      ResourceVector demand,
      ResourceVector fairShare) {
    super(name, parent, limits, policy, usage, demand, fairShare);
  }

  void addChild(ShadowQueue child) {
    children.add(child);
  }

  @Override
  Collection<ShadowQueue> members() {
    return children;
  }

  @Override
  boolean takesPart(ShadowSchedulable member) {
    return true;
  }

  @Override
  boolean isActive() {
    return children.stream().anyMatch(ShadowQueue::isActive);
  }

  @Override
  void recomputeShares() {
    List<ShadowQueue> active = new ArrayList<>();
    for (ShadowQueue child : children) {
      if (child.isActive()) {
        active.add(child);
      } else {
        child.fairShare().set(ResourceVector.zero(fairShare().size()));
      }
    }
    policy().computeShares(active, fairShare());
    children.forEach(ShadowQueue::recomputeShares);
  }

  @Override
  Outcome offer(ShadowNode node, ContainerAssigner assigner) {
    if (!accepts(node)) {
      return Outcome.NOTHING;
    }
    for (ShadowSchedulable child : order()) {
      Outcome outcome = ((ShadowQueue) child).offer(node, assigner);
      if (outcome != Outcome.NOTHING) {
        return outcome;
      }
    }
    return Outcome.NOTHING;
  }

  @Override
  void passOver(ShadowNode node, ContainerAssigner assigner) {
    if (accepts(node)) {
      order().forEach(child -> ((ShadowQueue) child).passOver(node, assigner));
    }
  }
}
