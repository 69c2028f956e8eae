package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Target;
import io.orchestra.hadoop.testbed.bench.result.Estimate;
import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import java.util.Locale;

/** A run's results for a terminal: a line for each key, and why they cannot be trusted, if so. */
public final class SummaryText {
  private SummaryText() {}

  public static String of(RunResult result) {
    StringBuilder text = new StringBuilder();
    int width = result.keys().stream().mapToInt(key -> key.key().key().length()).max().orElse(0);
    for (KeyResult key : result.keys()) {
      String name = key.key().key();
      text.append(name).append(" ".repeat(width - name.length() + 2)).append(values(key));
      text.append('\n');
    }
    text.append(result.verified() ? "verified\n" : "not verified:\n");
    result.reasons().forEach(reason -> text.append("  ").append(reason).append('\n'));
    text.append("report: ")
        .append(result.setup().options().output().resolve(ResultDirectory.REPORT))
        .append('\n');
    return text.toString();
  }

  /** Its value, interval, target and verdict, as far as there are any. */
  static String values(KeyResult result) {
    StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%8s", KeyRow.value(result)));
    result
        .estimate()
        .flatMap(Estimate::interval)
        .ifPresent(interval -> text.append("  [").append(KeyRow.text(interval)).append(']'));
    result
        .verdict()
        .flatMap(
            verdict ->
                result.key().target().map(target -> text(target) + ": " + KeyRow.verdict(result)))
        .ifPresent(text::append);
    return text.toString();
  }

  private static String text(Target target) {
    return "  " + target.side().words() + " " + Numbers.text(target.limit());
  }
}
