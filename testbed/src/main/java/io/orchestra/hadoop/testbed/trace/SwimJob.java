package io.orchestra.hadoop.testbed.trace;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import java.util.List;

/**
 * A line of a trace of SWIM, the Statistical Workload Injector for MapReduce: six fields with tabs
 * between them.
 *
 * @param name of the job
 * @param submitSeconds after the beginning of the trace
 * @param inputBytes of its maps
 * @param shuffleBytes from maps to reduces
 * @param outputBytes written at last
 */
record SwimJob(
    String name, long submitSeconds, long inputBytes, long shuffleBytes, long outputBytes) {
  private static final int FIELDS = 6;

  static List<SwimJob> parse(String text) {
    List<SwimJob> jobs =
        Splitter.on('\n')
            .trimResults()
            .omitEmptyStrings()
            .splitToStream(text)
            .map(SwimJob::line)
            .toList();
    if (jobs.isEmpty()) {
      throw new TestbedException("SWIM's trace has no job");
    }
    return jobs;
  }

  private static SwimJob line(String line) {
    List<String> fields = Splitter.on('\t').trimResults().splitToList(line);
    try {
      if (fields.size() == FIELDS) {
        return new SwimJob(
            fields.get(0),
            count(fields.get(1)),
            // The third is the time since the job before.
            count(fields.get(3)),
            count(fields.get(4)),
            count(fields.get(5)));
      }
    } catch (NumberFormatException e) {
      throw notOne(line);
    }
    throw notOne(line);
  }

  private static long count(String field) {
    long number = Long.parseLong(field);
    if (number < 0) {
      throw new NumberFormatException();
    }
    return number;
  }

  private static TestbedException notOne(String line) {
    return new TestbedException(
        "'%s' is no line of SWIM's: job, submitted (s), gap (s), input, shuffle, output (bytes), with tabs between them"
            .formatted(line));
  }

  long bytes() {
    return inputBytes + shuffleBytes + outputBytes;
  }
}
