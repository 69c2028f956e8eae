package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Asks the active ResourceManager for its coordinator, and each DataNode for its daemon. */
final class PrefetchProbe implements LiveProbe {
  private static final String FAIR =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler";
  private static final String PREDICTION =
      "Hadoop:service=ResourceManager,name=OrchestraPrediction";
  private static final BeanCheck DAEMON =
      new BeanCheck(
          "prefetch-scheduler",
          "DataNode",
          "prefetch daemon and block cache",
          List.of("Hadoop:service=DataNode,name=OrchestraPrefetchDaemon", BeanCheck.BLOCK_CACHE));

  @Override
  public void ask(LiveCluster cluster, Findings findings) throws IOException {
    DataNodes dataNodes = new DataNodes(cluster, findings);
    for (URI nameNode : cluster.nameNodes()) {
      try {
        List<URI> unused = dataNodes.seenBy(nameNode);
      } catch (IOException e) {
        findings.unanswered("prefetch-scheduler", e);
      }
    }
    try {
      coordinator(cluster, dataNodes.all().size(), findings);
    } catch (IOException e) {
      findings.unanswered("prefetch-scheduler", e);
    }
    if (dataNodes.areKnown()) {
      BeanCheck.Answers unused =
          DAEMON.run(
              cluster,
              dataNodes.all(),
              findings,
              "often the directory of orchestra.block-cache.socket is missing");
    }
  }

  private static void predictions(URI resourceManager, JsonNode prediction, Findings findings) {
    long failures = prediction.path("Failures").asLong();
    if (failures > 0) {
      findings.problem(
          "prefetch-scheduler: predictions of the ResourceManager %s, or what follows from them, have failed %d times"
              .formatted(resourceManager, failures),
          "its log has the stack traces: report them");
    }
    if (prediction.path("JobsHeard").asLong() == 0) {
      findings.note(
          "prefetch-scheduler: no application master has told the ResourceManager %s of its maps yet"
              .formatted(resourceManager),
          "only jobs whose mapred-site.xml names PrefetchAgent do that; if such jobs have run since it became active, open"
              + " the port orchestra.prefetch.agent.port");
    }
  }

  private static void withoutCoordinator(
      LiveCluster cluster, URI resourceManager, Findings findings) {
    Optional<String> scheduler = scheduler(cluster, resourceManager).filter(PrefetchProbe::isOther);
    if (scheduler.isPresent()) {
      findings.problem(
          "prefetch-scheduler: the ResourceManager %s schedules with %s"
              .formatted(resourceManager, scheduler.get()),
          "a restart with the current configuration would replace it with the Fair Scheduler, without its queues: leave"
              + " out what docs/install.md lists under Another scheduler, or move to the Fair Scheduler first");
    } else {
      findings.problem(
          "prefetch-scheduler: the ResourceManager %s foretells nothing".formatted(resourceManager),
          "restart it with the current configuration; if you have, its log says why the scheduler is only the Fair"
              + " Scheduler");
    }
  }

  /** Nothing if it does not tell its configuration. */
  private static Optional<String> scheduler(LiveCluster cluster, URI resourceManager) {
    try {
      return cluster.setting(resourceManager, YarnConfiguration.RM_SCHEDULER);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isOther(String scheduler) {
    return !scheduler.isEmpty() && !ClassKey.isOurs(scheduler) && !FAIR.equals(scheduler);
  }

  /**
   * @param live DataNodes; if there is none, or none is known, that is told elsewhere
   */
  private static void coordinator(LiveCluster cluster, int live, Findings findings)
      throws IOException {
    URI resourceManager = cluster.activeResourceManager();
    Optional<JsonNode> report = cluster.json(resourceManager, "/orchestra/prefetch");
    if (report.isEmpty()) {
      withoutCoordinator(cluster, resourceManager, findings);
      return;
    }
    cluster
        .bean(resourceManager, PREDICTION)
        .ifPresent(prediction -> predictions(resourceManager, prediction, findings));
    int daemons = report.get().path("daemons").size();
    if (daemons < live) {
      findings.problem(
          "prefetch-scheduler: %d daemons poll the ResourceManager %s, of %d DataNodes"
              .formatted(daemons, resourceManager, live),
          "open the port orchestra.prefetch.daemon.port, and set orchestra.prefetch.coordinators where DataNodes do not"
              + " have yarn-site.xml; the DataNodes' logs say which ResourceManagers they cannot reach");
    } else if (live > 0) {
      findings.ok(
          "prefetch-scheduler: the ResourceManager %s is polled by %s"
              .formatted(resourceManager, Hosts.all("DataNode", live)));
    }
  }
}
