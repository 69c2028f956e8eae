package io.orchestra.hadoop.testbed.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What MapReduce's history server tells of jobs that have ended. */
public final class HistoryServer {
  private static final String JOBS = "http://m1:19888/ws/v1/history/mapreduce/jobs";
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final WebClient web;

  HistoryServer(WebClient web) {
    this.web = web;
  }

  /**
   * What it lists of the jobs that were started at this time or later.
   *
   * @param since milliseconds since 1970
   */
  public List<JsonNode> jobs(long since) {
    return WebClient.elements(json("?startedTimeBegin=" + since).path("jobs").path("job"));
  }

  /** What it knows of a job beyond what it lists. */
  public JsonNode job(String id) {
    return json("/" + id).path("job");
  }

  /** The counters of a whole job, by name. */
  public Map<String, Long> counters(String id) {
    return counters(json("/" + id + "/counters").path("jobCounters"));
  }

  /** Names of counters are unique, but for those of file systems, whose prefix makes them so. */
  static Map<String, Long> counters(JsonNode jobCounters) {
    Map<String, Long> counters = new TreeMap<>();
    for (JsonNode group : WebClient.elements(jobCounters.path("counterGroup"))) {
      for (JsonNode counter : WebClient.elements(group.path("counter"))) {
        counters.put(counter.path("name").asText(), counter.path("totalCounterValue").asLong());
      }
    }
    return counters;
  }

  /** What is at a path below that of all jobs; fails if there is no answer. */
  public JsonNode json(String path) {
    return web.json(JOBS + path)
        .orElseThrow(() -> new TestbedException("there is no answer at " + JOBS + path));
  }

  /**
   * Asks for jobs until there are so many: the server hears of a job a little after its client.
   *
   * @throws TestbedException if it does not within a minute
   */
  public static <T> List<T> await(Supplier<List<T>> known, int count) throws InterruptedException {
    long limit = System.nanoTime() + LONGEST.toNanos();
    List<T> jobs = known.get();
    while (jobs.size() < count) {
      if (System.nanoTime() > limit) {
        throw new TestbedException(
            "the history server knows %d of %d jobs".formatted(jobs.size(), count));
      }
      TimeUnit.SECONDS.sleep(1);
      jobs = known.get();
    }
    return jobs;
  }
}
