package io.orchestra.hadoop.testbed.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.result.EarlierRun;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Repetitions as they are completed, a line of JSON for each, so that a run that ends early can be
 * continued. Other lines say when a run began, and under which conditions, or why it ended early.
 * Nothing is ever overwritten.
 */
record Journal(Path file) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Notes that the last of the setup's runs begins. */
  void begin(RunSetup setup) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("start", setup.starts().get(setup.starts().size() - 1).toString());
    line.put("conditions", setup.conditions());
    append(line);
  }

  /** Notes why the run that began last has ended early. */
  void end(String why) {
    append(Map.of("end", why));
  }

  void append(String experiment, List<TrialResult> repetition) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("experiment", experiment);
    line.put("repetition", repetition.get(0).trial().repetition());
    line.put("trials", repetition.stream().map(TrialJson::of).toList());
    append(line);
  }

  private void append(Map<String, Object> line) {
    try {
      // It begins a line of its own even if the run before was killed while it wrote one.
      Files.writeString(
          file,
          "\n" + JSON.writeValueAsString(line) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file + ": " + e, e);
    }
  }

  /** All that is there; fails, saying what to do, if that is nothing. */
  EarlierRun read() {
    Map<String, String> conditions = new LinkedHashMap<>();
    List<Instant> starts = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    List<EarlierRun.Repetition> repetitions = new ArrayList<>();
    try {
      for (String text : Files.readAllLines(file)) {
        JsonNode line = parsed(text);
        if (line.has("start")) {
          starts.add(Instant.parse(line.required("start").asText()));
          line.required("conditions")
              .fields()
              .forEachRemaining(entry -> conditions.put(entry.getKey(), entry.getValue().asText()));
        } else if (line.has("end")) {
          ends.add(line.required("end").asText());
        } else if (line.has("experiment")) {
          List<TrialResult> trials = new ArrayList<>();
          line.required("trials").forEach(trial -> trials.add(TrialJson.parse(trial)));
          repetitions.add(
              new EarlierRun.Repetition(
                  line.required("experiment").asText(),
                  line.required("repetition").asInt(),
                  conditions.getOrDefault(RunSetup.COMMIT, RunSetup.UNKNOWN),
                  trials));
        }
      }
    } catch (IOException | RuntimeException e) {
      throw unusable(e.toString(), e);
    }
    if (starts.isEmpty()) {
      throw unusable("it holds no run", null);
    }
    return new EarlierRun(conditions, starts, ends, repetitions);
  }

  /** A line, or nothing if a run was killed while it wrote it. */
  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException cutShort) {
      return JSON.missingNode();
    }
  }

  private TestbedException unusable(String why, Exception cause) {
    return new TestbedException(
        "%s is not of a run that can be continued; start a new one without --continue: %s"
            .formatted(file, why),
        cause);
  }
}
