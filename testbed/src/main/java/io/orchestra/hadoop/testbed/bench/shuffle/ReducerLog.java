package io.orchestra.hadoop.testbed.bench.shuffle;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Window;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reducer logged of its shuffle. Hadoop's reducers and ours log the same: both use Hadoop's
 * EventFetcher and MergeManagerImpl.
 *
 * @param begin when it began to ask for finished maps
 * @param end when all outputs were there
 * @param explanation what our shuffle says of itself, if it is ours
 */
record ReducerLog(LocalDateTime begin, LocalDateTime end, Optional<String> explanation) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final Pattern WEIGHTED = Pattern.compile("(\\d+) of \\d+ requests by weight");
  private static final Pattern STAMPED =
      Pattern.compile("^(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) (.*)$");

  /** How many requests of a shuffle of ours followed weights. */
  long weightedRequests() {
    Matcher weighted = WEIGHTED.matcher(explanation.orElse(""));
    return weighted.find() ? Long.parseLong(weighted.group(1)) : 0;
  }

  /**
   * @throws TestbedException if it is not the whole log of a shuffle
   */
  static ReducerLog parse(List<String> lines) {
    Optional<LocalDateTime> begin = Optional.empty();
    Optional<LocalDateTime> end = Optional.empty();
    Optional<String> explanation = Optional.empty();
    for (String line : lines) {
      Matcher stamped = STAMPED.matcher(line);
      if (!stamped.matches()) {
        continue;
      }
      LocalDateTime time = LocalDateTime.parse(stamped.group(1), TIME);
      String text = stamped.group(2);
      if (text.contains("EventFetcher: attempt_") && text.contains("Thread started")) {
        begin = Optional.of(time);
      } else if (begin.isPresent() && end.isEmpty() && isAfterLastFetch(text)) {
        end = Optional.of(time);
      } else if (text.contains("LaneShuffle: Shuffle of attempt_")) {
        explanation = Optional.of(text.substring(text.indexOf("Shuffle of ")));
      }
    }
    return new ReducerLog(
        begin.orElseThrow(() -> new TestbedException("the log of a reducer has no beginning")),
        end.orElseThrow(() -> new TestbedException("the log of a reducer has no end")),
        explanation);
  }

  /**
   * The thread that asks for finished maps is ended when the last output is there. It says so
   * unless it was just asking; then the final merge is next.
   */
  private static boolean isAfterLastFetch(String text) {
    return text.contains("EventFetcher is interrupted") || text.contains("finalMerge called");
  }

  /** From the first beginning to the last end. */
  static Window window(List<ReducerLog> reducers) {
    return Window.between(
        instant(reducers.stream().map(ReducerLog::begin).min(LocalDateTime::compareTo)),
        instant(reducers.stream().map(ReducerLog::end).max(LocalDateTime::compareTo)));
  }

  /** Logs have the time of this machine. */
  private static Instant instant(Optional<LocalDateTime> time) {
    return time.orElseThrow().atZone(ZoneId.systemDefault()).toInstant();
  }
}
