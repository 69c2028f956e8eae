package io.orchestra.hadoop.testbed.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.bench.Curve;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import io.orchestra.hadoop.testbed.bench.sample.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A measured trial as JSON, and back. */
final class TrialJson {
  private TrialJson() {}

  static Map<String, Object> of(TrialResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("arm", result.arm());
    json.put("repetition", result.trial().repetition());
    json.put("position", result.position());
    json.put("seed", result.trial().seed());
    json.put("seconds", result.seconds());
    json.put("figures", result.figures());
    json.put("linkUtilisation", result.usage().linkUtilisation());
    json.put("counters", result.measurement().counters());
    json.put("checks", result.measurement().checks());
    json.put("samples", result.measurement().samples());
    if (!result.measurement().curves().isEmpty()) {
      json.put("curves", result.measurement().curves());
    }
    return json;
  }

  /** Fails with IllegalArgumentException if a member is missing. */
  static TrialResult parse(JsonNode json) {
    Measurement.Builder measurement = Measurement.builder();
    Map<String, Double> sampled = new LinkedHashMap<>();
    numbers(json.required("figures"))
        .forEach(
            (name, value) -> {
              if (SampledFigure.isOne(name)) {
                sampled.put(name, value);
              } else {
                measurement.figure(name, value);
              }
            });
    json.required("counters")
        .fields()
        .forEachRemaining(
            counter -> measurement.counter(counter.getKey(), counter.getValue().asLong()));
    json.required("checks")
        .forEach(
            check ->
                measurement.check(
                    check.required("name").asText(),
                    check.required("passed").asBoolean(),
                    check.required("detail").asText()));
    json.required("samples")
        .fields()
        .forEachRemaining(
            samples -> measurement.samples(samples.getKey(), list(samples.getValue())));
    json.path("curves")
        .fields()
        .forEachRemaining(curves -> measurement.curves(curves.getKey(), curves(curves.getValue())));
    return new TrialResult(
        json.required("arm").asText(),
        new Trial(json.required("repetition").asInt(), json.required("seed").asLong(), false),
        json.required("position").asInt(),
        json.required("seconds").asDouble(),
        measurement.build(),
        new Usage(sampled, numbers(json.required("linkUtilisation"))));
  }

  private static List<Curve> curves(JsonNode json) {
    List<Curve> curves = new ArrayList<>();
    json.forEach(
        curve ->
            curves.add(
                new Curve(
                    curve.required("name").asText(),
                    list(curve.required("seconds")),
                    list(curve.required("values")))));
    return curves;
  }

  private static List<Double> list(JsonNode json) {
    List<Double> values = new ArrayList<>();
    json.forEach(value -> values.add(value.asDouble()));
    return values;
  }

  private static Map<String, Double> numbers(JsonNode json) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    json.fields()
        .forEachRemaining(entry -> numbers.put(entry.getKey(), entry.getValue().asDouble()));
    return numbers;
  }
}
