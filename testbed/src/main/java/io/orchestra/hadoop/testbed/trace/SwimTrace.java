package io.orchestra.hadoop.testbed.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Turns a trace of SWIM into one for GridMix that a small cluster can run.
 *
 * <p>Of jobs ordered by their bytes every n-th is taken, from the middle of each stretch, so that
 * the few keep the distribution of the many, but for a largest one beyond all bounds. Their bytes
 * are multiplied by one number, their times by another. A task of a real cluster stands for many
 * here: inputs become whole blocks, at least one, of one map each.
 *
 * @param jobs how many to take; all if there are fewer
 * @param blockBytes what a map reads
 * @param mostMaps of a job
 * @param bytes all of them together read, shuffle and write about so many
 * @param seconds from the first submission to the last
 */
public record SwimTrace(int jobs, long blockBytes, int mostMaps, long bytes, long seconds) {
  /** Bytes of a record: few and large ones cost no processor time. */
  private static final long RECORD = 50_000;

  /** What one reduce fetches. */
  private static final long REDUCE_BYTES = 64 << 20;

  private static final int MOST_REDUCES = 6;

  /**
   * @param text of the file
   * @param scale multiplies {@code bytes}
   */
  public Trace convert(String text, double scale) {
    List<SwimJob> taken = take(SwimJob.parse(text));
    double factor = scale * bytes / Math.max(1, taken.stream().mapToLong(SwimJob::bytes).sum());
    long first = taken.get(0).submitSeconds();
    long span = Math.max(1, taken.get(taken.size() - 1).submitSeconds() - first);
    List<ObjectNode> converted = new ArrayList<>();
    for (SwimJob job : taken) {
      long millis = Math.round(1000.0 * seconds * (job.submitSeconds() - first) / span);
      converted.add(
          convert("job_1_%04d".formatted(converted.size() + 1), millis, job, factor).json());
    }
    return new Trace(converted);
  }

  private List<SwimJob> take(List<SwimJob> all) {
    List<SwimJob> ordered = all.stream().sorted(Comparator.comparingLong(SwimJob::bytes)).toList();
    int count = Math.min(jobs, ordered.size());
    List<SwimJob> taken = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      taken.add(ordered.get((int) ((2L * number + 1) * ordered.size() / (2L * count))));
    }
    taken.sort(Comparator.comparingLong(SwimJob::submitSeconds));
    return taken;
  }

  private LoggedJob convert(String id, long millis, SwimJob job, double factor) {
    long input = Math.round(job.inputBytes() * factor);
    long shuffle = Math.round(job.shuffleBytes() * factor);
    long output = Math.round(job.outputBytes() * factor);
    int maps = (int) Math.max(1, Math.min(mostMaps, Math.round((double) input / blockBytes)));
    int reduces =
        job.shuffleBytes() == 0
            ? 0
            : (int)
                Math.max(1, Math.min(MOST_REDUCES, (shuffle + REDUCE_BYTES - 1) / REDUCE_BYTES));
    LoggedJob logged = new LoggedJob(id, job.name(), millis);
    long made = reduces == 0 ? output : shuffle;
    for (int map = 0; map < maps; map++) {
      long bytesOut = share(made, maps, map);
      // What is smaller than a block is read by one map, which begins at the beginning of a file.
      long bytesIn = maps > 1 ? blockBytes : Math.max(Trace.GRAIN, Math.min(input, blockBytes));
      logged.map(bytesIn, records(bytesIn), bytesOut, records(bytesOut));
    }
    for (int reduce = 0; reduce < reduces; reduce++) {
      long fetched = share(shuffle, reduces, reduce);
      long written = share(output, reduces, reduce);
      logged.reduce(fetched, records(fetched), written, records(written));
    }
    return logged;
  }

  /** Of so many bytes, one of so many equal parts; at least one byte. */
  private static long share(long bytes, int parts, int part) {
    return Math.max(1, bytes * (part + 1) / parts - bytes * part / parts);
  }

  private static long records(long bytes) {
    return Math.max(1, bytes / RECORD);
  }
}
