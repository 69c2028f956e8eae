package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.util.List;

/** Asks each NodeManager for the part of its shuffle service that is ours. */
final class ShuffleProbe implements LiveProbe {
  private static final String SERVER = "Hadoop:service=NodeManager,name=OrchestraShuffleServer";
  private static final BeanCheck SERVICE =
      new BeanCheck(
          "mapreduce-shuffle", "NodeManager", "weighted shuffle service", List.of(SERVER));

  @Override
  public void ask(LiveCluster cluster, Findings findings) throws IOException {
    int lost = cluster.lostNodeManagers();
    if (lost > 0) {
      findings.note(
          "NodeManagers that the ResourceManager has lost, and that are not asked: " + lost,
          "start them, or decommission them");
    }
    BeanCheck.Answers answers =
        SERVICE.run(
            cluster,
            cluster.nodeManagers(),
            findings,
            "often yarn.nodemanager.aux-services does not list mapreduce_shuffle, or its class is still Hadoop's");
    long stock = answers.sum(SERVER, "ConnectionsLeftToStock");
    if (stock > 0) {
      findings.problem(
          "mapreduce-shuffle: NodeManagers have left %d connections to Hadoop's own service"
              .formatted(stock),
          "their logs say 'is served by stock alone' and why; is this a Hadoop version that Orchestra is not tested with?");
    }
    long failed = answers.sum(SERVER, "RefusedFailed");
    if (failed > 0) {
      findings.problem(
          "mapreduce-shuffle: an error of ours ended %d requests, and their outputs were fetched as with Hadoop's"
              .formatted(failed),
          "the logs of NodeManagers have the stack trace after 'Refused a request from': report it");
    }
  }
}
