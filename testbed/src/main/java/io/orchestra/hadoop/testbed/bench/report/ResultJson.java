package io.orchestra.hadoop.testbed.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.Target;
import io.orchestra.hadoop.testbed.bench.result.Estimate;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.FormulaResult;
import io.orchestra.hadoop.testbed.bench.result.KeyResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.Summary;
import io.orchestra.hadoop.testbed.bench.result.Verdict;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Everything that is known of a run, unrounded. What does not exist is null. */
final class ResultJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultJson() {}

  static String of(RunResult result) {
    RunSetup setup = result.setup();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bench", setup.benchmark().name());
    json.put("question", setup.benchmark().question());
    json.put("verified", result.verified());
    json.put("reasons", result.reasons());
    json.put("ratios", LastLine.ratios(result));
    json.put("command", setup.command());
    json.put("starts", setup.starts().stream().map(Instant::toString).toList());
    json.put("earlyEnds", setup.earlyEnds());
    json.put("hadoop", setup.options().hadoopVersion());
    json.put("repetitions", setup.options().repetitions());
    json.put("quick", setup.options().quick());
    json.put("only", setup.options().selection().experiments());
    json.put("arms", setup.options().selection().arms());
    json.put("seed", setup.options().seed());
    json.put("processors", setup.machine().processors());
    json.put("congestionControl", setup.machine().congestionControl());
    json.put("java", setup.machine().java());
    json.put("commit", setup.commit().orElse(null));
    json.put("earlierCommits", setup.earlierCommits());
    json.put("description", setup.description());
    json.put("keys", result.keys().stream().map(ResultJson::key).toList());
    json.put("experiments", result.experiments().stream().map(ResultJson::experiment).toList());
    try {
      return JSON.writeValueAsString(json) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> key(KeyResult result) {
    RatioKey key = result.key();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("key", key.key());
    json.put("meaning", key.meaning());
    json.put("experiment", String.join(", ", key.experiments()));
    json.put(
        "formula",
        key.formulas().stream().map(Formula::text).distinct().collect(Collectors.joining("; ")));
    json.put("quick", key.quick());
    json.put("whyLeftOut", key.whyLeftOut().orElse(null));
    json.put("paper", number(key.paper()));
    json.put("paperNote", key.paperNote());
    json.put("atLeast", limit(key, Target.Side.AT_LEAST));
    json.put("atMost", limit(key, Target.Side.AT_MOST));
    json.put("median", result.estimate().map(Estimate::median).orElse(null));
    json.put("interval", result.estimate().flatMap(Estimate::interval).orElse(null));
    json.put("values", result.estimate().map(Estimate::values).orElse(null));
    json.put("verdict", result.verdict().map(Verdict::toString).orElse(null));
    json.put("problem", result.problem().orElse(null));
    json.put("formulas", result.formulas().stream().map(ResultJson::formula).toList());
    return json;
  }

  private static Map<String, Object> formula(FormulaResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("experiment", result.formula().experiment());
    json.put("text", result.formula().text());
    json.put("median", result.estimate().map(Estimate::median).orElse(null));
    json.put("interval", result.estimate().flatMap(Estimate::interval).orElse(null));
    json.put("values", result.estimate().map(Estimate::values).orElse(null));
    json.put("verdict", result.verdict().map(Verdict::toString).orElse(null));
    json.put("problem", result.problem().orElse(null));
    return json;
  }

  private static Map<String, Object> experiment(ExperimentResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", result.experiment().name());
    json.put("description", result.experiment().description());
    json.put("warmUps", result.experiment().warmUps());
    json.put("plannedRepetitions", result.planned());
    json.put("repetitions", result.repetitions());
    json.put("linkBytesPerSecond", result.experiment().links().map(Links::capacities).orElse(null));
    json.put("linkGroups", result.experiment().links().map(Links::groups).orElse(null));
    json.put("arms", result.experiment().arms().stream().map(arm -> arm(result, arm)).toList());
    json.put("trials", result.trials().stream().map(TrialJson::of).toList());
    return json;
  }

  private static Map<String, Object> arm(ExperimentResult result, Arm arm) {
    Map<String, Summary> figures = new LinkedHashMap<>();
    for (String figure : result.figures()) {
      List<Double> values = result.values(arm, figure);
      if (!values.isEmpty()) {
        figures.put(figure, Summary.of(values));
      }
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", arm.name());
    json.put("whyNoBusyLink", arm.demands().whyNoBusyLink().orElse(null));
    json.put("whyNoIdleCpu", arm.demands().whyNoIdleCpu().orElse(null));
    json.put("figures", figures);
    return json;
  }

  private static Double limit(RatioKey key, Target.Side side) {
    return key.target().filter(target -> target.side() == side).map(Target::limit).orElse(null);
  }

  private static Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
