package io.orchestra.hadoop.testbed.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;

/**
 * What matters of a job of a trace.
 *
 * @param submitMillis when it was submitted
 * @param inputBytes that its maps read
 * @param shuffleBytes that its reduces fetched
 * @param outputBytes that it wrote to HDFS
 */
public record TraceJob(
    String name,
    long submitMillis,
    int maps,
    int reduces,
    long inputBytes,
    long shuffleBytes,
    long outputBytes,
    List<CacheFile> files) {

  /** By maps, and by bytes where those are as many. */
  public static final Comparator<TraceJob> BY_SIZE =
      Comparator.comparingInt(TraceJob::maps).thenComparingLong(TraceJob::bytes);

  public TraceJob {
    files = List.copyOf(files);
  }

  static TraceJob of(ObjectNode job) {
    return new TraceJob(
        job.path("jobName").asText(),
        job.path("submitTime").asLong(),
        job.path("totalMaps").asInt(),
        job.path("totalReduces").asInt(),
        sum(job, "mapTasks", "hdfsBytesRead"),
        sum(job, "reduceTasks", "reduceShuffleBytes"),
        sum(
            job,
            job.path("totalReduces").asInt() > 0 ? "reduceTasks" : "mapTasks",
            "hdfsBytesWritten"),
        CacheFile.of(job.path("jobProperties")));
  }

  /** Over the attempts that succeeded. */
  private static long sum(ObjectNode job, String tasks, String what) {
    long sum = 0;
    for (JsonNode task : Trace.array(job, tasks)) {
      for (JsonNode attempt : task.path("attempts")) {
        if (attempt.path("result").asText().equals(LoggedJob.SUCCESS)) {
          sum += Math.max(0, attempt.path(what).asLong());
        }
      }
    }
    return sum;
  }

  /** All that it moves or might move over the network. */
  public long bytes() {
    return inputBytes + shuffleBytes + outputBytes;
  }
}
