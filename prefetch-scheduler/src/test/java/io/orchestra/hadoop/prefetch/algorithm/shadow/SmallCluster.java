package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cluster of equal nodes with one queue, in which only memory counts. */
final class SmallCluster {
  private static final ResourceVector NONE = ResourceVector.zero(1);
  private static final ResourceVector ALL = ResourceVector.of(Long.MAX_VALUE);

  private final FewestFirst policy = new FewestFirst();
  private final ShadowParentQueue root =
      new ShadowParentQueue(
          "root", null, new ShadowQueue.Limits(1, NONE, ALL, -1), policy, NONE, NONE, NONE);
  private final ShadowLeafQueue queue;
  private final Map<String, ShadowNode> nodes = new LinkedHashMap<>();
  private final Map<String, ShadowApp> apps = new HashMap<>();
  private SchedulerRules rules = rules(-1, -1);
  private ShadowScheduler scheduler;

  /**
   * @param most memory of the queue
   */
  SmallCluster(long most) {
    queue =
        new ShadowLeafQueue(
            "queue",
            root,
            new ShadowQueue.Limits(1, NONE, ResourceVector.of(most), -1),
            policy,
            NONE,
            NONE,
            NONE,
            NONE);
  }

  SmallCluster() {
    this(Long.MAX_VALUE);
  }

  /** Containers of 4 and more are worth a reservation, and no more than half of the nodes. */
  static SchedulerRules rules(double nodeThreshold, double rackThreshold) {
    return new SchedulerRules(
        true, false, 0, nodeThreshold, rackThreshold, 0.5, ResourceVector.of(4));
  }

  SmallCluster with(SchedulerRules other) {
    rules = other;
    return this;
  }

  SmallCluster node(String name, String rack, long memory) {
    ResourceVector total = ResourceVector.of(memory);
    nodes.put(name, new ShadowNode(name, name, rack, total, total));
    return this;
  }

  /** An application that runs its master elsewhere, and asks for containers by place. */
  SmallCluster app(String name, long memory, Map<String, Integer> places) {
    ShadowApp app =
        new ShadowApp(
            queue,
            new ShadowApp.Facts(name, apps.size(), true, true, false, false, Set.of()),
            NONE,
            NONE,
            NONE);
    Ask ask = new Ask(new AskKey(ShadowTask.MAP, 0), ResourceVector.of(memory));
    places.forEach((place, containers) -> ask.put(place, containers, true));
    app.ask(ask);
    apps.put(name, app);
    return this;
  }

  ShadowScheduler scheduler() {
    if (scheduler == null) {
      ResourceVector total = ResourceVector.zero(1);
      nodes.values().forEach(node -> total.add(node.total(), 1));
      scheduler =
          new ShadowScheduler(new ShadowCluster(root, List.copyOf(nodes.values()), total), rules);
      scheduler.update();
    }
    return scheduler;
  }

  /** How often fair shares were worked out, of any queue. */
  int divisions() {
    return policy.divisions;
  }

  ShadowApp app(String name) {
    return apps.get(name);
  }

  ShadowNode node(String name) {
    return nodes.get(name);
  }

  /** Names of the applications that got containers on the node, in order. */
  List<String> heartbeat(String node, long now) {
    List<ShadowContainer> before = new ArrayList<>(node(node).containers());
    scheduler().heartbeat(node(node), now);
    return node(node).containers().stream()
        .filter(container -> !before.contains(container))
        .map(container -> container.app().name())
        .toList();
  }

  static Map<Integer, Multiset<String>> told(Map<String, Integer> places) {
    Multiset<String> counts = HashMultiset.create();
    places.forEach(counts::add);
    return Map.of(ShadowTask.MAP, counts);
  }

  /** Who uses the least comes first. */
  private static final class FewestFirst implements QueuePolicy {
    private int divisions;

    @Override
    public Comparator<ShadowSchedulable> comparator() {
      return Comparator.<ShadowSchedulable>comparingLong(one -> one.usage().value(0))
          .thenComparing(ShadowSchedulable::name);
    }

    @Override
    public void computeShares(
        Collection<? extends ShadowSchedulable> active, ResourceVector total) {
      divisions++;
      active.forEach(one -> one.fairShare().set(0, total.value(0) / active.size()));
    }

    @Override
    public boolean isBelow(ResourceVector usage, ResourceVector share) {
      return usage.value(0) < share.value(0);
    }

    @Override
    public boolean isAtLeast(ResourceVector container, ResourceVector threshold) {
      return container.value(0) >= threshold.value(0);
    }
  }
}
