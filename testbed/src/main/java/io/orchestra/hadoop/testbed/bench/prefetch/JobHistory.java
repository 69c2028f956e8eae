package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import io.orchestra.hadoop.testbed.bench.cluster.HistoryServer;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.util.ArrayList;
import java.util.List;

/** What MapReduce's history server knows of jobs. */
final class JobHistory {
  /** The second job of a grep, which only sorts what was found. */
  private static final String SORT = "grep-sort";

  /** Paths that a job reads, with commas between them. */
  private static final String INPUTS = "mapreduce.input.fileinputformat.inputdir";

  /**
   * A map that has ended.
   *
   * @param input path of the file that it read
   * @param host where it ran
   * @param waited seconds from the beginning of its job until it was launched
   */
  record MapRun(String input, String host, double seconds, double waited) {}

  private final HistoryServer server;

  JobHistory(HistoryServer server) {
    this.server = server;
  }

  /** Jobs that were started at this time or later, but for those that sort what a grep found. */
  List<EndedJob> since(long millis, int count) {
    return server.jobs(millis, name -> !name.equals(SORT), count);
  }

  /** Maps of a job, each of which read one file. */
  List<MapRun> maps(EndedJob job) {
    String inputs = "";
    for (JsonNode property : server.json("/" + job.id() + "/conf").path("conf").path("property")) {
      if (property.path("name").asText().equals(INPUTS)) {
        inputs = property.path("value").asText();
      }
    }
    List<MapRun> maps = new ArrayList<>();
    String path = "/" + job.id() + "/tasks";
    for (JsonNode task :
        WebClient.elements(server.json(path + "?type=m").path("tasks").path("task"))) {
      String attempt = task.path("successfulAttempt").asText();
      maps.add(
          map(
              inputs,
              job.begun(),
              server
                  .json("%s/%s/attempts/%s".formatted(path, task.path("id").asText(), attempt))
                  .path("taskAttempt")));
    }
    return maps;
  }

  /**
   * Equally long inputs are split in the order of their paths.
   *
   * @param begun milliseconds when its job began
   * @param attempt of the map that has succeeded
   */
  static MapRun map(String inputs, long begun, JsonNode attempt) {
    List<String> words = Splitter.on('_').splitToList(attempt.path("id").asText());
    int number = Integer.parseInt(words.get(words.size() - 2));
    String node = attempt.path("nodeHttpAddress").asText();
    return new MapRun(
        Splitter.on(',').splitToList(inputs).get(number),
        Splitter.on(':').splitToList(node).get(0),
        attempt.path("elapsedTime").asLong() / 1e3,
        (attempt.path("startTime").asLong() - begun) / 1e3);
  }
}
