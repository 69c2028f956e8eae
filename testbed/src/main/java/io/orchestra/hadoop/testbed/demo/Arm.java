package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All steps on one cluster.
 *
 * @param seconds how long each step took, by its title
 * @param outputs what each step wrote, by its title
 * @param placement what the placement plugin answers afterwards, if it is on
 */
record Arm(
    Map<String, Double> seconds,
    Map<String, Outputs> outputs,
    Optional<PlacementDecisions> placement) {
  private static final String PLACEMENT = "/orchestra/placement";
  private static final int LONGEST_REPORT_SECONDS = 120;

  static Arm run(
      String name,
      DemoCluster cluster,
      List<Step> steps,
      boolean placement,
      Path log,
      Progress progress) {
    if (placement) {
      awaitReports(cluster);
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    for (Step step : steps) {
      progress.say(name + ": " + step.title() + " as " + step.user().userName());
      double start = progress.seconds();
      if (step.title().equals("put text")) {
        cluster.hadoop(step.user(), List.of("hdfs", "dfs", "-mkdir", step.output()), log);
      }
      cluster.hadoop(step.user(), step.words(), log);
      seconds.put(step.title(), progress.seconds() - start);
    }
    progress.say(name + ": fetching the outputs");
    Optional<JsonNode> decisions = placement ? cluster.nameNode(PLACEMENT) : Optional.empty();
    return new Arm(seconds, fetch(cluster, steps, log), decisions.map(PlacementDecisions::of));
  }

  private static Map<String, Outputs> fetch(DemoCluster cluster, List<Step> steps, Path log) {
    Path directory = cluster.fetchDirectory();
    List<String> words = new ArrayList<>(List.of("hdfs", "dfs", "-get"));
    steps.forEach(step -> words.add(step.output()));
    words.add(directory.toString());
    cluster.hadoop(Account.HDFS, words, log);
    Map<String, Outputs> outputs = new LinkedHashMap<>();
    for (Step step : steps) {
      Path fetched = directory.resolve(Path.of(step.output()).getFileName());
      outputs.put(step.title(), Outputs.of(fetched));
      FileTree.delete(fetched);
    }
    return outputs;
  }

  /** The plugin leaves placement to HDFS until DataNodes report, which they do every second. */
  private static void awaitReports(DemoCluster cluster) {
    Waiting.until(
        () ->
            cluster
                    .nameNode(PLACEMENT)
                    .map(PlacementDecisions::of)
                    .map(PlacementDecisions::coverage)
                    .orElse(0.0)
                >= 1,
        "all DataNodes to report their links to the placement plugin",
        LONGEST_REPORT_SECONDS);
  }
}
