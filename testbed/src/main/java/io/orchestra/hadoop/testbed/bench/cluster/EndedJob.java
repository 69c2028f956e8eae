package io.orchestra.hadoop.testbed.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;

/**
 * A job that has ended; times in milliseconds since 1970.
 *
 * @param begun when its application master began it
 * @param mapSeconds mean of its maps
 * @param shuffleSeconds mean of its reduces; 0 without any
 * @param counters those of the whole job, by name
 */
public record EndedJob(
    String id,
    String name,
    boolean succeeded,
    long submitted,
    long begun,
    long finished,
    int maps,
    int reduces,
    double mapSeconds,
    double shuffleSeconds,
    Map<String, Long> counters) {

  public EndedJob {
    counters = ImmutableMap.copyOf(counters);
  }

  /**
   * @param listed what the history server lists of it
   * @param job what it tells beyond that
   */
  static EndedJob of(JsonNode listed, JsonNode job, Map<String, Long> counters) {
    return new EndedJob(
        listed.path("id").asText(),
        listed.path("name").asText(),
        listed.path("state").asText().equals("SUCCEEDED"),
        listed.path("submitTime").asLong(),
        listed.path("startTime").asLong(),
        listed.path("finishTime").asLong(),
        listed.path("mapsTotal").asInt(),
        listed.path("reducesTotal").asInt(),
        job.path("avgMapTime").asLong() / 1e3,
        job.path("avgShuffleTime").asLong() / 1e3,
        counters);
  }

  /** From its submission to its end. */
  public double seconds() {
    return (finished - submitted) / 1e3;
  }

  /** Zero if it has none of this name. */
  public long counter(String counter) {
    return counters.getOrDefault(counter, 0L);
  }

  /** The mean map of several jobs. */
  public static double meanMap(List<EndedJob> jobs) {
    return jobs.stream().mapToDouble(job -> job.mapSeconds() * job.maps()).sum() / maps(jobs);
  }

  /** The part of the maps of several jobs that had a replica on their host. */
  public static double localMaps(List<EndedJob> jobs) {
    return jobs.stream().mapToLong(job -> job.counter("DATA_LOCAL_MAPS")).sum() / maps(jobs);
  }

  private static double maps(List<EndedJob> jobs) {
    return jobs.stream().mapToInt(EndedJob::maps).sum();
  }
}
