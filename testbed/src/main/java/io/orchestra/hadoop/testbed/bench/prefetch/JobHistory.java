package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.cluster.HistoryServer;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /**
   * A job that has ended.
   *
   * @param begun milliseconds when its application master began it
   * @param seconds from its submission to its end
   * @param mapSeconds mean of its maps
   * @param shuffleSeconds mean of its reduces; 0 without any
   * @param localMaps with a replica on their host
   * @param bytesTold of input that its maps say that they have read
   */
  record Job(
      String id,
      String name,
      int maps,
      boolean succeeded,
      long begun,
      double seconds,
      double mapSeconds,
      double shuffleSeconds,
      long localMaps,
      long bytesTold) {}

  private final HistoryServer server;

  JobHistory(HistoryServer server) {
    this.server = server;
  }

  /**
   * Jobs that were submitted at this time or later, but for those that sort what a grep found, once
   * it knows so many; fails if it does not within a minute.
   */
  List<Job> since(long millis, int count) throws InterruptedException {
    return HistoryServer.await(() -> since(millis), count);
  }

  private List<Job> since(long millis) {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : server.jobs(millis)) {
      if (!job.path("name").asText().equals(SORT)) {
        jobs.add(job(job));
      }
    }
    return jobs;
  }

  private Job job(JsonNode listed) {
    String id = listed.path("id").asText();
    JsonNode job = server.job(id);
    Map<String, Long> counters = server.counters(id);
    return new Job(
        id,
        listed.path("name").asText(),
        listed.path("mapsTotal").asInt(),
        listed.path("state").asText().equals("SUCCEEDED"),
        listed.path("startTime").asLong(),
        (listed.path("finishTime").asLong() - listed.path("submitTime").asLong()) / 1e3,
        job.path("avgMapTime").asLong() / 1e3,
        job.path("avgShuffleTime").asLong() / 1e3,
        counters.getOrDefault("DATA_LOCAL_MAPS", 0L),
        counters.getOrDefault("BYTES_READ", 0L));
  }

  /** Maps of a job, each of which read one file. */
  List<MapRun> maps(Job job) {
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
