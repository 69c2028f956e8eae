package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What MapReduce's history server knows of jobs. */
final class JobHistory {
  private static final String JOBS = "http://m1:19888/ws/v1/history/mapreduce/jobs";

  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** The second job of a grep, which only sorts what was found. */
  private static final String SORT = "grep-sort";

  /**
   * A job that has ended.
   *
   * @param seconds from its submission to its end
   * @param mapSeconds mean of its maps
   * @param shuffleSeconds mean of its reduces; 0 without any
   * @param localMaps with a replica on their host
   */
  record Job(
      String name,
      int maps,
      boolean succeeded,
      double seconds,
      double mapSeconds,
      double shuffleSeconds,
      long localMaps) {}

  private final WebClient web;

  JobHistory(WebClient web) {
    this.web = web;
  }

  /** Jobs that were submitted at this time or later, but for those that sort what a grep found. */
  List<Job> since(long millis) {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : json("?startedTimeBegin=" + millis).path("jobs").path("job")) {
      if (!job.path("name").asText().equals(SORT)) {
        jobs.add(job(job));
      }
    }
    return jobs;
  }

  /**
   * The same, once it knows so many: it hears of a job a little after its client.
   *
   * @throws TestbedException if it does not within a minute
   */
  List<Job> since(long millis, int count) throws InterruptedException {
    long limit = System.nanoTime() + LONGEST.toNanos();
    List<Job> jobs = since(millis);
    while (jobs.size() < count) {
      if (System.nanoTime() > limit) {
        throw new TestbedException(
            "the history server knows %d of %d jobs".formatted(jobs.size(), count));
      }
      TimeUnit.SECONDS.sleep(1);
      jobs = since(millis);
    }
    return jobs;
  }

  private Job job(JsonNode listed) {
    String id = listed.path("id").asText();
    JsonNode job = json("/" + id).path("job");
    return new Job(
        listed.path("name").asText(),
        listed.path("mapsTotal").asInt(),
        listed.path("state").asText().equals("SUCCEEDED"),
        (listed.path("finishTime").asLong() - listed.path("submitTime").asLong()) / 1e3,
        job.path("avgMapTime").asLong() / 1e3,
        job.path("avgShuffleTime").asLong() / 1e3,
        counter(id, "DATA_LOCAL_MAPS"));
  }

  private long counter(String id, String name) {
    for (JsonNode group : json("/" + id + "/counters").path("jobCounters").path("counterGroup")) {
      for (JsonNode counter : group.path("counter")) {
        if (counter.path("name").asText().equals(name)) {
          return counter.path("totalCounterValue").asLong();
        }
      }
    }
    return 0;
  }

  private JsonNode json(String path) {
    return web.json(JOBS + path)
        .orElseThrow(() -> new TestbedException("there is no answer at " + JOBS + path));
  }
}
