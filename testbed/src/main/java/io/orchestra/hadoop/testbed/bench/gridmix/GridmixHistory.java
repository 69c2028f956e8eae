package io.orchestra.hadoop.testbed.bench.gridmix;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.cluster.HistoryServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What MapReduce's history server knows of the jobs that GridMix ran. */
final class GridmixHistory {
  /** GridMix gives its jobs names that end in their number in the trace. */
  private static final String NAME = "GRIDMIX\\d{6}";

  private static final int PREFIX = "GRIDMIX".length();

  /** What a job must have read and written, wherever its bytes came from and went. */
  private static final List<String> VERIFIED =
      List.of(
          "HDFS_BYTES_READ",
          "HDFS_BYTES_WRITTEN",
          "MAP_INPUT_RECORDS",
          "MAP_OUTPUT_RECORDS",
          "MAP_OUTPUT_BYTES",
          "REDUCE_INPUT_RECORDS",
          "REDUCE_OUTPUT_RECORDS");

  /**
   * A job that has ended; times in milliseconds since 1970.
   *
   * @param number in the trace, from 0
   * @param shuffleSeconds mean of its reduces; 0 without any
   * @param counters those of the whole job, by name
   */
  record Job(
      int number,
      boolean succeeded,
      long submitted,
      long finished,
      int maps,
      int reduces,
      double mapSeconds,
      double shuffleSeconds,
      Map<String, Long> counters) {

    double seconds() {
      return (finished - submitted) / 1e3;
    }

    long localMaps() {
      return counters.getOrDefault("DATA_LOCAL_MAPS", 0L);
    }

    /** What must be the same in all arms. */
    String signature() {
      return VERIFIED.stream()
          .map(name -> name + "=" + counters.getOrDefault(name, 0L))
          .collect(Collectors.joining(" "));
    }
  }

  private final HistoryServer server;

  GridmixHistory(HistoryServer server) {
    this.server = server;
  }

  /**
   * Jobs that were started at this time or later, in the order of the trace, once it knows so many;
   * fails if it does not within a minute.
   */
  List<Job> since(long millis, int count) throws InterruptedException {
    return HistoryServer.await(() -> since(millis), count);
  }

  private List<Job> since(long millis) {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : server.jobs(millis)) {
      if (job.path("name").asText().matches(NAME)) {
        String id = job.path("id").asText();
        jobs.add(job(job, server.job(id), server.counters(id)));
      }
    }
    jobs.sort(Comparator.comparingInt(Job::number));
    return jobs;
  }

  static Job job(JsonNode listed, JsonNode job, Map<String, Long> counters) {
    return new Job(
        Integer.parseInt(listed.path("name").asText().substring(PREFIX)),
        listed.path("state").asText().equals("SUCCEEDED"),
        listed.path("submitTime").asLong(),
        listed.path("finishTime").asLong(),
        listed.path("mapsTotal").asInt(),
        listed.path("reducesTotal").asInt(),
        job.path("avgMapTime").asLong() / 1e3,
        job.path("avgShuffleTime").asLong() / 1e3,
        counters);
  }
}
