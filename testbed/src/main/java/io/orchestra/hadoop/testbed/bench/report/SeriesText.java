package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of several benchmarks together. */
public final class SeriesText {
  private static final String KEY = "%-10s  %-34s %s\n";

  private SeriesText() {}

  /**
   * A line for each key, and one for each benchmark that says whether it is verified and where its
   * report is.
   */
  public static String table(List<RunResult> results) {
    StringBuilder text = new StringBuilder();
    for (RunResult result : results) {
      String name = result.setup().benchmark().name();
      for (KeyResult key : result.keys()) {
        if (key.estimate().isPresent()) {
          text.append(KEY.formatted(name, key.key().key(), SummaryText.values(key)));
        }
      }
      text.append(
          KEY.formatted(
              name,
              result.verified() ? "verified" : "not verified",
              result.setup().options().output().resolve(ResultDirectory.REPORT)));
    }
    return text.toString();
  }

  /** As that of one benchmark, with {@code BENCHMARK.KEY} for keys; verified if all are. */
  public static String lastLine(List<RunResult> results) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (RunResult result : results) {
      LastLine.ratios(result)
          .forEach(
              (key, value) -> ratios.put(result.setup().benchmark().name() + "." + key, value));
    }
    return LastLine.text("all", results.stream().allMatch(RunResult::verified), ratios);
  }
}
