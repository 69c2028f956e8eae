package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Asks each NameNode for its tracker and each DataNode for its peer and its cache. */
final class BroadcastProbe implements LiveProbe {
  private static final String TRACKER = "Hadoop:service=NameNode,name=OrchestraSwarmTracker";
  private static final String PEER = "Hadoop:service=DataNode,name=OrchestraSwarmPeer";
  private static final String CACHE = BeanCheck.BLOCK_CACHE;

  @Override
  public void ask(LiveCluster cluster, Findings findings) throws IOException {
    DataNodes dataNodes = new DataNodes(cluster, findings);
    for (URI nameNode : cluster.nameNodes()) {
      try {
        int live = dataNodes.seenBy(nameNode).size();
        tracker(nameNode, cluster.bean(nameNode, TRACKER), live, findings);
      } catch (IOException e) {
        findings.unanswered("broadcast-cache", e);
      }
    }
    if (dataNodes.areKnown()) {
      peers(cluster, dataNodes.all(), findings);
    }
  }

  private static void peers(LiveCluster cluster, List<URI> dataNodes, Findings findings) {
    BeanCheck.Answers answers =
        new BeanCheck("broadcast-cache", "DataNode", "peer and block cache", List.of(PEER, CACHE))
            .run(
                cluster,
                dataNodes,
                findings,
                "often the directory of orchestra.block-cache.socket is missing");
    long failed = answers.sum(PEER, "SwarmsFailed");
    if (failed > 0 && answers.sum(PEER, "SwarmsCompleted") == 0) {
      findings.problem(
          "broadcast-cache: of all files that came as swarms none came whole, and %d were given up"
              .formatted(failed),
          "open the port orchestra.broadcast.peer.port between DataNodes; their logs say why each file was given up");
    }
  }

  private static void tracker(URI nameNode, Optional<JsonNode> bean, int live, Findings findings) {
    if (bean.isEmpty()) {
      findings.problem(
          "broadcast-cache: the NameNode %s has no tracker".formatted(nameNode),
          "restart it with the current configuration; if you have, its log says why the tracker is off");
      return;
    }
    if (bean.get().path("Enabled").asInt(1) == 0) {
      findings.problem(
          "broadcast-cache: the tracker of %s is switched off, and all files are read from HDFS"
              .formatted(nameNode),
          "find out who ran dfsadmin -refresh … enabled=false; the same command with enabled=true switches it on");
      return;
    }
    int peers = bean.get().path("Peers").asInt();
    if (live == 0) {
      findings.problem(
          "broadcast-cache: the NameNode %s sees no live DataNode".formatted(nameNode),
          "start them; their logs say why they do not register");
    } else if (peers < live) {
      findings.problem(
          "broadcast-cache: the tracker of %s knows %d peers, of %d DataNodes"
              .formatted(nameNode, peers, live),
          "open the port orchestra.broadcast.tracker.port; the DataNodes' logs say which trackers they cannot reach");
    } else {
      findings.ok(
          "broadcast-cache: the tracker of %s knows the peers of %s"
              .formatted(nameNode, Hosts.all("DataNode", live)));
    }
  }
}
