package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import java.util.List;
import java.util.stream.Stream;

/** Queues and nodes of the shadow, and the only place where containers come and go. */
public final class ShadowCluster {
  private final ShadowParentQueue root;
  private final List<ShadowNode> nodes;
  private final Multiset<String> racks = HashMultiset.create();
  private final ResourceVector total;
  private final ResourceVector smallest;

  /**
   * @param root with all queues and applications below it
   */
  public ShadowCluster(ShadowParentQueue root, List<ShadowNode> nodes, ResourceVector total) {
    this.root = root;
    this.nodes = ImmutableList.copyOf(nodes);
    this.total = total;
    nodes.forEach(node -> racks.add(node.rack()));
    sort(root);
    smallest = total.copy();
    apps().flatMap(ShadowApp::allAsks).forEach(ask -> smallest.limit(ask.capability()));
  }

  private static void sort(ShadowQueue queue) {
    queue.sort();
    if (queue instanceof ShadowParentQueue parent) {
      parent.members().forEach(ShadowCluster::sort);
    }
  }

  public ShadowParentQueue root() {
    return root;
  }

  public List<ShadowNode> nodes() {
    return nodes;
  }

  int nodesInRack(String rack) {
    return racks.count(rack);
  }

  ResourceVector total() {
    return total;
  }

  /** No container that anybody asks for is smaller in any resource. */
  ResourceVector smallest() {
    return smallest;
  }

  /** All applications. */
  Stream<ShadowApp> apps() {
    return apps(root);
  }

  private static Stream<ShadowApp> apps(ShadowQueue queue) {
    return queue instanceof ShadowParentQueue parent
        ? parent.members().stream().flatMap(ShadowCluster::apps)
        : ((ShadowLeafQueue) queue).apps().stream();
  }

  void allocate(ShadowApp app, Ask ask, ShadowNode node, Locality locality) {
    ask.delay().allocated(locality);
    ShadowContainer container = new ShadowContainer(app, node, ask.key(), ask.capability());
    node.containers().add(container);
    node.available().add(ask.capability(), -1);
    app.allocated().add(container);
    ask.allocate(locality, node);
    if (ask.containers() == 0) {
      app.ask(ask);
    }
    charge(app, ask.capability(), 1);
  }

  void release(ShadowContainer container) {
    container.node().containers().remove(container);
    container.node().available().add(container.capability(), 1);
    container.app().allocated().remove(container);
    charge(container.app(), container.capability(), -1);
  }

  // INVARIANT: nothing else changes a usage, or the orders of the queues would be wrong.
  private static void charge(ShadowApp app, ResourceVector amount, int sign) {
    for (ShadowSchedulable at = app; at.parent() != null; at = at.parent()) {
      at.parent().detach(at);
    }
    for (ShadowSchedulable at = app; at != null; at = at.parent()) {
      at.usage().add(amount, sign);
    }
    for (ShadowSchedulable at = app; at.parent() != null; at = at.parent()) {
      at.parent().attach(at);
    }
  }
}
