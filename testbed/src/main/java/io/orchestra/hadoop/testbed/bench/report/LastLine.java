package io.orchestra.hadoop.testbed.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import java.util.LinkedHashMap;
import java.util.Map;

/** What programs read from the end of a run's output: one JSON object in one line. */
public final class LastLine {
  private LastLine() {}

  /** {@code bench}, {@code verified}, and under {@code ratios} a number or null for each key. */
  public static String of(RunResult result) {
    return text(result.setup().benchmark().name(), result.verified(), ratios(result));
  }

  static String text(String bench, boolean verified, Map<String, Double> ratios) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("bench", bench);
    line.put("verified", verified);
    line.put("ratios", ratios);
    try {
      return new ObjectMapper().writeValueAsString(line);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rounded value of each key, or null. */
  static Map<String, Double> ratios(RunResult result) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (KeyResult key : result.keys()) {
      ratios.put(
          key.key().key(),
          key.estimate().map(estimate -> Numbers.rounded(estimate.median())).orElse(null));
    }
    return ratios;
  }
}
