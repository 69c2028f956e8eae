package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.List;

/**
 * Decides whether an application takes a node that is offered, and at which locality, as
 * FSAppAttempt 846-1100 does.
 */
final class ContainerAssigner {
  private final SchedulerRules rules;
  private final ShadowCluster cluster;

  ContainerAssigner(SchedulerRules rules, ShadowCluster cluster) {
    this.rules = rules;
    this.cluster = cluster;
  }

  Outcome offer(ShadowApp app, ShadowNode node) {
    if (exceedsMastersLimit(app)) {
      return Outcome.NOTHING;
    }
    List<Ask> asks = app.asks();
    for (int number = 0; number < asks.size(); number++) {
      Ask ask = asks.get(number);
      if (!wants(app, ask, node)) {
        continue;
      }
      Locality allowed = allowed(ask);
      boolean last = number == asks.size() - 1;
      if (last && !ask.capability().fitsIn(node.available()) && !isLarge(app, ask)) {
        // Wherever its data may be.
        return Outcome.NOTHING;
      }
      Locality locality = locality(ask, node, allowed);
      if (locality != null) {
        return assign(app, ask, node, locality, false);
      }
    }
    return Outcome.NOTHING;
  }

  /**
   * A node's reservation is used, kept or given up.
   *
   * @return false if it was given up, and others may be offered the node
   */
  boolean offerReserved(ShadowNode node) {
    ShadowApp app = node.reservedBy();
    Ask ask = app.ask(node.reservedKey());
    if (ask == null || !wants(app, ask, node) || exceedsMastersLimit(app)) {
      node.unreserve();
      return false;
    }
    if (node.reserved().fitsIn(node.available())) {
      Locality locality = locality(ask, node, allowed(ask));
      if (locality != null) {
        assign(app, ask, node, locality, true);
      }
    }
    return true;
  }

  /** FSAppAttempt 1036: whether a container could be on this node at all. */
  private static boolean wants(ShadowApp app, Ask ask, ShadowNode node) {
    return (ask.isRelaxed() || insistsOn(ask, node))
        && ask.capability().fitsIn(node.total())
        && app.parent().hasRoomFor(ask.capability());
  }

  private static boolean insistsOn(Ask ask, ShadowNode node) {
    boolean onRack = ask.containers(node.rack()) > 0;
    return (onRack || ask.isRelaxed(Ask.ANYWHERE))
        && (!onRack || ask.isRelaxed(node.rack()) || ask.containers(node.name()) > 0);
  }

  /** An ask has an opportunity: how far from its data it may be now. */
  private Locality allowed(Ask ask) {
    return ask.delay()
        .offered(cluster.nodes().size(), rules.nodeThreshold(), rules.rackThreshold());
  }

  /** The locality at which the ask takes the node; null if it waits for a nearer one. */
  private static Locality locality(Ask ask, ShadowNode node, Locality allowed) {
    boolean onRack = ask.containers(node.rack()) > 0;
    if (onRack && ask.containers(node.name()) > 0) {
      return Locality.NODE_LOCAL;
    }
    if (!ask.isRelaxed(node.rack())) {
      return null;
    }
    if (onRack && allowed != Locality.NODE_LOCAL) {
      return Locality.RACK_LOCAL;
    }
    boolean anywhere = ask.places() <= 1 || allowed == Locality.OFF_SWITCH;
    return ask.isRelaxed(Ask.ANYWHERE) && anywhere ? Locality.OFF_SWITCH : null;
  }

  private Outcome assign(
      ShadowApp app, Ask ask, ShadowNode node, Locality locality, boolean reserved) {
    if (!ask.capability().fitsIn(node.available())) {
      return mayReserve(app, ask, node, locality) ? reserve(app, ask, node) : Outcome.NOTHING;
    }
    cluster.allocate(app, ask, node, locality);
    if (reserved) {
      node.unreserve();
    }
    if (!app.masterRuns()) {
      app.parent().amUsage().add(ask.capability(), 1);
      app.masterStarted();
    }
    return new Outcome(ask.capability());
  }

  private static Outcome reserve(ShadowApp app, Ask ask, ShadowNode node) {
    node.reserve(app, ask.key(), ask.capability());
    return Outcome.RESERVED;
  }

  private boolean isLarge(ShadowApp app, Ask ask) {
    return ask.isLarge(app.parent().policy(), rules.reservationThreshold());
  }

  /** FSAppAttempt 752 and 935: the hungry reserve nodes for large containers, but not too many. */
  private boolean mayReserve(ShadowApp app, Ask ask, ShadowNode node, Locality locality) {
    if (node.isReserved() && node.reservedBy() != app) {
      return false;
    }
    if (!isLarge(app, ask) || !app.isStarved()) {
      return false;
    }
    return switch (locality) {
      case NODE_LOCAL -> true;
      case RACK_LOCAL ->
          app.reservations().get(node.rack()).size()
              < Math.ceil(cluster.nodesInRack(node.rack()) * rules.reservableNodes());
      case OFF_SWITCH ->
          app.reservations().size() < Math.ceil(cluster.nodes().size() * rules.reservableNodes());
    };
  }

  /** FSAppAttempt 928 and FSLeafQueue 470. */
  private boolean exceedsMastersLimit(ShadowApp app) {
    ShadowLeafQueue queue = app.parent();
    if (app.masterRuns() || Math.abs(queue.amShare() + 1) < 0.0001) {
      return false;
    }
    if (app.asks().isEmpty()) {
      return false;
    }
    Ask first = app.asks().get(0);
    ResourceVector most = ResourceVector.zero(cluster.total().size());
    for (int resource = 0; resource < most.size(); resource++) {
      long share = queue.fairShare().value(resource);
      if (share == 0) {
        share =
            Math.min(
                cluster.total().value(resource) - cluster.root().usage().value(resource),
                queue.maxShare().value(resource));
      }
      most.set(resource, (long) Math.ceil(share * queue.amShare()));
    }
    return !queue.amUsage().fitsInWith(first.capability(), most);
  }
}
