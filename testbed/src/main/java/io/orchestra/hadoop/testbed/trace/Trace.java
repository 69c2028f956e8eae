package io.orchestra.hadoop.testbed.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A trace: one JSON object for each job, with the properties of Rumen's {@code LoggedJob}, in the
 * order in which jobs were submitted.
 *
 * @param jobs in that order
 */
public record Trace(List<ObjectNode> jobs) {
  /** Map inputs are made whole multiples of this many bytes. */
  static final long GRAIN = 64 << 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What GridMix wants to know of a job's configuration: the files that it gave its tasks. */
  private static final Set<String> PROPERTIES =
      Set.of(CacheFile.FILES, CacheFile.SIZES, CacheFile.VISIBILITIES, CacheFile.TIMESTAMPS);

  /** Lists of twelve numbers in each attempt, on which GridMix does not look. */
  private static final Set<String> PROGRESS =
      Set.of("clockSplits", "cpuUsages", "vmemKbytes", "physMemKbytes");

  public Trace {
    jobs = List.copyOf(jobs);
  }

  /**
   * Reads objects that follow each other, with white space between them or none.
   *
   * @throws TestbedException if it is not JSON, or has no job
   */
  public static Trace parse(String text) {
    try (MappingIterator<ObjectNode> objects = JSON.readerFor(ObjectNode.class).readValues(text)) {
      List<ObjectNode> jobs = new ArrayList<>(objects.readAll());
      if (jobs.isEmpty()) {
        throw new TestbedException("the trace has no job");
      }
      return new Trace(jobs);
    } catch (IOException e) {
      throw new TestbedException("the trace is not what Rumen writes: " + e.getMessage(), e);
    }
  }

  /** What GridMix can read, one job in a line. */
  public String text() {
    return jobs.stream().map(Trace::line).collect(Collectors.joining());
  }

  private static String line(ObjectNode job) {
    try {
      return JSON.writeValueAsString(job) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What matters of each job, in the order of the trace: that is how GridMix numbers them. */
  public List<TraceJob> views() {
    return jobs.stream().map(TraceJob::of).toList();
  }

  /**
   * Every third job of those ordered by size, from the largest down: about a third of the work, in
   * the same mix of sizes, in the order of the trace. They are submitted in a third of the time, so
   * that a cluster has as much to do at once.
   */
  public Trace third() {
    List<TraceJob> views = views();
    long first = submission(jobs.get(0));
    List<Integer> bySize =
        IntStream.range(0, jobs.size())
            .boxed()
            .sorted(Comparator.comparing(views::get, TraceJob.BY_SIZE).reversed())
            .toList();
    return new Trace(
        IntStream.range(0, jobs.size())
            .filter(rank -> rank % 3 == 0)
            .mapToObj(bySize::get)
            .sorted()
            .map(jobs::get)
            .map(job -> withSubmission(job, first + (submission(job) - first) / 3))
            .toList());
  }

  private static long submission(ObjectNode job) {
    return job.path("submitTime").asLong();
  }

  private static ObjectNode withSubmission(ObjectNode job, long millis) {
    return job.deepCopy().put("submitTime", millis);
  }

  /**
   * The same jobs in the order of their submission, without what GridMix does not look at, which is
   * most of what Rumen writes, and with map inputs without the description of the split, which
   * Hadoop counts as read and which would push the input of every later map over the end of a
   * block.
   */
  public Trace cleaned() {
    return new Trace(
        jobs.stream()
            .map(job -> cleaned(job.deepCopy()))
            .sorted(Comparator.comparingLong(Trace::submission))
            .toList());
  }

  private static ObjectNode cleaned(ObjectNode job) {
    if (job.get("jobProperties") instanceof ObjectNode properties) {
      properties.retain(PROPERTIES);
    }
    job.putArray("otherTasks");
    for (String tasks : List.of("mapTasks", "reduceTasks")) {
      for (JsonNode task : job.path(tasks)) {
        for (JsonNode attempt : task.path("attempts")) {
          clean((ObjectNode) attempt, tasks.equals("mapTasks"));
        }
      }
    }
    return job;
  }

  private static void clean(ObjectNode attempt, boolean map) {
    attempt.remove(PROGRESS);
    long read = attempt.path("hdfsBytesRead").asLong();
    if (map && read > GRAIN) {
      attempt.put("hdfsBytesRead", read / GRAIN * GRAIN);
    }
  }

  /**
   * The same jobs, whose maps have used a processor for as long as their input takes at some rate.
   *
   * @param rate bytes per second
   */
  public Trace computing(long rate) {
    return new Trace(jobs.stream().map(job -> computing(job.deepCopy(), rate)).toList());
  }

  private static ObjectNode computing(ObjectNode job, long rate) {
    for (JsonNode task : array(job, "mapTasks")) {
      for (JsonNode attempt : task.path("attempts")) {
        long millis = TimeUnit.SECONDS.toMillis(attempt.path("hdfsBytesRead").asLong()) / rate;
        usage((ObjectNode) attempt).put("cumulativeCpuUsage", millis);
      }
    }
    return job;
  }

  private static ObjectNode usage(ObjectNode attempt) {
    return attempt.get("resourceUsageMetrics") instanceof ObjectNode known
        ? known
        : attempt.putObject("resourceUsageMetrics");
  }

  /**
   * A trace of one small job that has all shared files of this trace: with it GridMix generates
   * those files and runs next to nothing.
   */
  public Trace forGeneration() {
    List<CacheFile> shared =
        views().stream()
            .flatMap(job -> job.files().stream())
            .filter(file -> !file.uploaded())
            .distinct()
            .toList();
    ObjectNode job = new LoggedJob("job_1_0001", "generation", 0).map(GRAIN, 1, GRAIN, 1).json();
    if (!shared.isEmpty()) {
      CacheFile.put(shared, (ObjectNode) job.get("jobProperties"));
    }
    return new Trace(List.of(job));
  }

  /** An array of a job, empty if it has none. */
  static ArrayNode array(ObjectNode job, String name) {
    return job.get(name) instanceof ArrayNode array ? array : JSON.createArrayNode();
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }
}
