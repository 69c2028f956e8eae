package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.util.List;

/** Asks each NodeManager for the part of its shuffle service that is ours. */
final class ShuffleProbe implements LiveProbe {
  private static final BeanCheck SERVICE =
      new BeanCheck(
          "mapreduce-shuffle",
          "NodeManager",
          "weighted shuffle service",
          List.of("Hadoop:service=NodeManager,name=OrchestraShuffleServer"));

  @Override
  public void ask(LiveCluster cluster, Findings findings) throws IOException {
    int lost = cluster.lostNodeManagers();
    if (lost > 0) {
      findings.note(
          "NodeManagers that the ResourceManager has lost, and that are not asked: " + lost,
          "start them, or decommission them");
    }
    SERVICE.run(
        cluster,
        cluster.nodeManagers(),
        findings,
        "often yarn.nodemanager.aux-services does not list mapreduce_shuffle, or its class is Hadoop's still");
  }
}
