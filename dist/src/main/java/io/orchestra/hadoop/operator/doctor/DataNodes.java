package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.TreeSet;

/** The DataNodes that are alive, as far as NameNodes answer. Notes those that are dead. */
final class DataNodes {
  private final LiveCluster cluster;
  private final Findings findings;
  private final TreeSet<URI> all = new TreeSet<>();
  private boolean known;

  DataNodes(LiveCluster cluster, Findings findings) {
    this.cluster = cluster;
    this.findings = findings;
  }

  /** The web addresses of those that a NameNode sees. */
  List<URI> seenBy(URI nameNode) throws IOException {
    List<URI> live = cluster.dataNodes(nameNode);
    List<String> dead = cluster.deadDataNodes(nameNode);
    if (!dead.isEmpty()) {
      findings.note(
          "the NameNode %s takes for dead, and they are not asked: %s"
              .formatted(nameNode, Hosts.some("DataNode", dead, live.size() + dead.size())),
          "start them, or decommission them");
    }
    all.addAll(live);
    known = true;
    return live;
  }

  /** Whether any NameNode has told. */
  boolean areKnown() {
    return known;
  }

  /** The web addresses of those that any NameNode sees. */
  List<URI> all() {
    return List.copyOf(all);
  }
}
