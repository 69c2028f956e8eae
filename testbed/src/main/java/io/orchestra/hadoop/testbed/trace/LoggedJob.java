package io.orchestra.hadoop.testbed.trace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Builds the JSON of a job that Rumen's {@code LoggedJob} can be read from, with what GridMix looks
 * at and nothing else: every task has one attempt, which succeeded.
 */
final class LoggedJob {
  static final String SUCCESS = "SUCCESS";
  private static final String USER = "alice";

  private final String numbers;
  private final ObjectNode job = Trace.object();

  /**
   * @param id such as {@code job_1_0001}
   * @param submitMillis when it was submitted
   */
  LoggedJob(String id, String name, long submitMillis) {
    numbers = id.substring("job_".length());
    job.put("jobID", id);
    job.put("jobName", name);
    job.put("user", USER);
    job.put("outcome", SUCCESS);
    job.put("submitTime", submitMillis);
    job.put("launchTime", submitMillis);
    job.put("finishTime", submitMillis + 1);
    job.put("totalMaps", 0);
    job.put("totalReduces", 0);
    job.putArray("mapTasks");
    job.putArray("reduceTasks");
    job.putObject("jobProperties");
  }

  /**
   * Adds a map.
   *
   * @param outputBytes that go to reduces, or to HDFS if the job has none
   */
  LoggedJob map(long inputBytes, long inputRecords, long outputBytes, long outputRecords) {
    ObjectNode attempt = attempt("mapTasks", "totalMaps", "MAP", "m");
    attempt.put("hdfsBytesRead", inputBytes);
    attempt.put("mapInputBytes", inputBytes);
    attempt.put("mapInputRecords", inputRecords);
    attempt.put("mapOutputBytes", outputBytes);
    attempt.put("hdfsBytesWritten", outputBytes);
    attempt.put("mapOutputRecords", outputRecords);
    return this;
  }

  /** Adds a reduce. */
  LoggedJob reduce(long shuffleBytes, long inputRecords, long outputBytes, long outputRecords) {
    ObjectNode attempt = attempt("reduceTasks", "totalReduces", "REDUCE", "r");
    attempt.put("reduceShuffleBytes", shuffleBytes);
    attempt.put("reduceInputRecords", inputRecords);
    attempt.put("hdfsBytesWritten", outputBytes);
    attempt.put("reduceOutputRecords", outputRecords);
    return this;
  }

  private ObjectNode attempt(String tasks, String total, String type, String letter) {
    ArrayNode all = Trace.array(job, tasks);
    String task = "%s_%s_%06d".formatted(numbers, letter, all.size());
    ObjectNode added = all.addObject();
    added.put("taskID", "task_" + task);
    added.put("taskType", type);
    added.put("taskStatus", SUCCESS);
    ObjectNode attempt = added.putArray("attempts").addObject();
    attempt.put("attemptID", "attempt_" + task + "_0");
    attempt.put("result", SUCCESS);
    job.put(total, all.size());
    return attempt;
  }

  ObjectNode json() {
    return job;
  }
}
