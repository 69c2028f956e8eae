package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.Collection;
import java.util.TreeSet;

/**
 * A queue. Keeps its members in the order in which they are offered a node, where the real one
 * sorts them anew for each offer: only the members whose usage changes move.
 */
public abstract sealed class ShadowQueue extends ShadowSchedulable
    permits ShadowLeafQueue, ShadowParentQueue {

  /**
   * What a queue is at the moment of the snapshot.
   *
   * @param weight of the queue
   * @param amShare fraction of the fair share that application masters may use; -1 for no limit
   */
  public record Limits(
      double weight, ResourceVector minShare, ResourceVector maxShare, double amShare) {}

  private final ShadowParentQueue parent;
  private final Limits limits;
  private final QueuePolicy policy;
  private final TreeSet<ShadowSchedulable> order;

  /** Whether what demand and order follow from has changed since they were brought up to date. */
  private boolean outdated = true;

  ShadowQueue(
      String name,
      ShadowParentQueue parent,
      Limits limits,
      QueuePolicy policy,
      ResourceVector usage,
      ResourceVector demand,
      ResourceVector fairShare) {
    super(name, usage, demand, fairShare);
    this.parent = parent;
    this.limits = limits;
    this.policy = policy;
    order = new TreeSet<>(policy.comparator());
    if (parent != null) {
      parent.addChild(this);
    }
  }

  @Override
  public final long startTime() {
    return 0;
  }

  @Override
  public final double weight() {
    return limits.weight();
  }

  @Override
  public final ResourceVector minShare() {
    return limits.minShare();
  }

  @Override
  public final ResourceVector maxShare() {
    return limits.maxShare();
  }

  @Override
  final ShadowParentQueue parent() {
    return parent;
  }

  final QueuePolicy policy() {
    return policy;
  }

  final double amShare() {
    return limits.amShare();
  }

  /** Members in the order in which they are offered a node. */
  final Iterable<ShadowSchedulable> order() {
    return order;
  }

  /** FSQueue 420: a queue at its limit takes nothing, nor does a node that somebody waits for. */
  final boolean accepts(ShadowNode node) {
    return !node.isReserved() && usage().fitsIn(maxShare());
  }

  /** FSQueue 530: with a container more, neither this nor a queue above exceeds its limit. */
  final boolean hasRoomFor(ResourceVector container) {
    for (ShadowQueue queue = this; queue != null; queue = queue.parent) {
      if (!queue.usage().fitsInWith(container, queue.maxShare())) {
        return false;
      }
    }
    return true;
  }

  @Override
  final void updateDemand() {
    if (!outdated) {
      // Most updates of a run: what has changed below is told here, too.
      return;
    }
    ResourceVector sum = ResourceVector.zero(demand().size());
    for (ShadowSchedulable member : members()) {
      member.updateDemand();
      sum.add(member.demand(), 1);
    }
    sum.limit(maxShare());
    demand().set(sum);
    sort();
    outdated = false;
  }

  /** A member uses or wants something else from now on. */
  final void changed() {
    for (ShadowQueue queue = this; queue != null; queue = queue.parent) {
      queue.outdated = true;
    }
  }

  abstract Collection<? extends ShadowSchedulable> members();

  abstract boolean takesPart(ShadowSchedulable member);

  abstract boolean isActive();

  abstract Outcome offer(ShadowNode node, ContainerAssigner assigner);

  /**
   * Does what {@link #offer} does with a node on which nobody can get a container, nor reserve it:
   * those that wait for a near node have waited for one more.
   */
  abstract void passOver(ShadowNode node, ContainerAssigner assigner);

  abstract void recomputeShares();

  /** A member is offered nodes from now on. */
  void joined(ShadowSchedulable member) {}

  /** A member is offered no nodes from now on. */
  void left(ShadowSchedulable member) {}

  /** Before a member's usage changes. */
  final void detach(ShadowSchedulable member) {
    outdated = true;
    boolean removed = order.remove(member);
    if (!removed && takesPart(member)) {
      // A policy whose order is not total may lose a member.
      sort();
      removed = order.remove(member);
    }
    if (removed) {
      left(member);
    }
  }

  /** After a member's usage has changed. */
  final void attach(ShadowSchedulable member) {
    if (takesPart(member) && order.add(member)) {
      joined(member);
    }
  }

  /** After anything the order depends on may have changed in all members. */
  final void sort() {
    order.forEach(this::left);
    order.clear();
    members().forEach(this::attach);
  }
}
