package io.orchestra.hadoop.testbed.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What MapReduce's history server tells of jobs that have ended. */
public final class HistoryServer {
  private static final String JOBS = "http://m1:19888/ws/v1/history/mapreduce/jobs";
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final WebClient web;

  HistoryServer(WebClient web) {
    this.web = web;
  }

  /**
   * Jobs that were started at this time or later, once it knows so many: it hears of a job a little
   * after the job's client.
   *
   * @param since milliseconds since 1970
   * @param name which names of jobs are meant
   * @throws TestbedException if it does not within a minute
   */
  public List<EndedJob> jobs(long since, Predicate<String> name, int count) {
    long limit = System.nanoTime() + LONGEST.toNanos();
    List<JsonNode> listed = listed(since, name);
    while (listed.size() < count) {
      if (System.nanoTime() > limit) {
        throw new TestbedException(
            "the history server knows %d of %d jobs".formatted(listed.size(), count));
      }
      Waiting.sleep(PAUSE, "the history server");
      listed = listed(since, name);
    }
    return listed.stream().map(this::job).toList();
  }

  private List<JsonNode> listed(long since, Predicate<String> name) {
    JsonNode jobs = json("?startedTimeBegin=" + since).path("jobs").path("job");
    return WebClient.elements(jobs).stream()
        .filter(job -> name.test(job.path("name").asText()))
        .toList();
  }

  private EndedJob job(JsonNode listed) {
    String path = "/" + listed.path("id").asText();
    JsonNode counters = json(path + "/counters").path("jobCounters");
    return EndedJob.of(listed, json(path).path("job"), counters(counters));
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
}
