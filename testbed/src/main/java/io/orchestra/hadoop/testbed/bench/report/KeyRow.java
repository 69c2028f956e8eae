package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.result.Estimate;
import io.orchestra.hadoop.testbed.bench.result.Interval;
import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.Verdict;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A key's line in a table. */
final class KeyRow {
  static final List<String> HEADINGS =
      List.of(
          "key",
          "meaning",
          "computed as",
          "here",
          "95 % interval",
          "repetitions",
          "paper",
          "target",
          "verdict");

  private KeyRow() {}

  static List<String> of(KeyResult result) {
    RatioKey key = result.key();
    return List.of(
        "`" + key.key() + "`",
        key.meaning(),
        key.text(),
        value(result) + (result.estimate().filter(Estimate::isGrouped).isPresent() ? " *" : ""),
        interval(result),
        result.estimate().map(estimate -> Integer.toString(estimate.values().size())).orElse(""),
        (paper(key.paper()) + " " + key.paperNote()).strip(),
        key.target()
            .map(target -> target.side().sign() + " " + Numbers.text(target.limit()))
            .orElse(""),
        verdict(result));
  }

  /** Of several formulas that of the smallest, which says which it is. */
  private static String interval(KeyResult result) {
    String interval = result.estimate().flatMap(Estimate::interval).map(KeyRow::text).orElse("");
    return result
        .smallest()
        .filter(smallest -> result.formulas().size() > 1)
        .map(smallest -> "%s (%s)".formatted(interval, name(smallest.formula())).strip())
        .orElse(interval);
  }

  private static String name(Formula formula) {
    return formula.text() + ", " + formula.experiment();
  }

  /** A key's value in words; never empty. */
  static String value(KeyResult result) {
    return result
        .estimate()
        .map(estimate -> Numbers.text(estimate.median()))
        .or(result::problem)
        .or(() -> result.key().whyLeftOut())
        .orElse("not in this run");
  }

  /** Whether the target is reached, and where it is not where there are several experiments. */
  static String verdict(KeyResult result) {
    return result
        .verdict()
        .map(
            verdict ->
                verdict == Verdict.MET || result.formulas().size() == 1
                    ? verdict.toString()
                    : Stream.of(Verdict.NOT_MET, Verdict.UNDECIDED)
                        .filter(kind -> !result.experiments(kind).isEmpty())
                        .map(kind -> kind + " in " + counted(result.experiments(kind)))
                        .collect(Collectors.joining("; ")))
        .orElse("");
  }

  private static String counted(Map<String, Long> experiments) {
    return experiments.entrySet().stream()
        .map(
            entry ->
                entry.getValue() == 1
                    ? entry.getKey()
                    : "%s (%d)".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  static String text(Interval interval) {
    return Numbers.text(interval.low()) + " to " + Numbers.text(interval.high());
  }

  private static String paper(OptionalDouble value) {
    return value.isPresent() ? Numbers.text(value.getAsDouble()) : "";
  }
}
