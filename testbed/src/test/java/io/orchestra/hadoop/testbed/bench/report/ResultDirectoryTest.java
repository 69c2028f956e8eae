package io.orchestra.hadoop.testbed.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.FakeBenchmark;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.run.BenchmarkRunner;
import io.orchestra.hadoop.testbed.bench.run.RunEnvironment;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Project;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultDirectoryTest {
  @TempDir private Path directory;

  private RunResult result;

  @BeforeEach
  void runABenchmark() throws Exception {
    FakeMachine machine = new FakeMachine(60, 70);
    RunEnvironment environment =
        new RunEnvironment(
            new TestbedHome(directory),
            new Project(directory, "1"),
            new Progress(
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                () -> 0),
            machine.sampler());
    result =
        new BenchmarkRunner(environment)
            .run(
                new FakeBenchmark(machine.links(), 1.5, 0),
                new BenchOptions("3.5.0", 2, false, 42, directory));
  }

  @Test
  void reportShowsArmsRatiosThePaperAndWhyItIsNotVerified() {
    String report = FileTree.read(directory.resolve("report.md"));
    assertThat(report)
        .startsWith("# Benchmark fake\n\nIs half | of two one?\n")
        .contains("- loaded, stock: median utilisation of the busiest link is 70.0 %, below 80 %")
        .contains(
            "| command | `bin/orchestra bench fake --repetitions 2 --seed 42 --hadoop 3.5.0` |")
        .contains("| hosts | none |")
        .contains(
            "| `speedup` | above 1 is faster | write time (s) of stock / write time (s) of plugin, loaded | 1.8 | 1.4")
        .contains("| 1.58 figure 7 | ≥ 1.5 |")
        .contains("## Experiment loaded")
        .contains("|  | stock | plugin |")
        .contains("| write time (s) | 2 (2–2) | 1.125 (1–1.25) |");
  }

  @Test
  void everyImageOfTheReportIsAnSvgFile() {
    Matcher images =
        Pattern.compile("!\\[[^]]*]\\(([^)]+)\\)")
            .matcher(FileTree.read(directory.resolve("report.md")));
    int count = 0;
    while (images.find()) {
      count++;
      assertThat(FileTree.read(directory.resolve(images.group(1)))).contains("<svg", "<path");
    }
    assertThat(count).isEqualTo(7);
  }

  @Test
  void jsonHoldsEveryTrial() throws Exception {
    JsonNode json = new ObjectMapper().readTree(directory.resolve("result.json").toFile());
    assertThat(json.get("seed").longValue()).isEqualTo(42);
    assertThat(json.get("hadoop").textValue()).isEqualTo("3.5.0");
    assertThat(json.get("commit").isNull()).isTrue();
    assertThat(json.get("processors").intValue()).isPositive();
    assertThat(json.get("keys").get(0).get("interval").get("low").isNumber()).isTrue();
    JsonNode experiment = json.get("experiments").get(0);
    assertThat(experiment.get("linkBytesPerSecond").get("busy").doubleValue()).isEqualTo(100);
    JsonNode trial = experiment.get("trials").get(0);
    assertThat(trial.get("linkUtilisation").get("busy").doubleValue()).isEqualTo(0.7);
    assertThat(trial.get("figures").get(FakeBenchmark.TIME).isNumber()).isTrue();
    assertThat(trial.get("samples").get("block write time (s)")).hasSize(3);
    assertThat(trial.get("checks").get(0).get("passed").booleanValue()).isTrue();
  }

  @Test
  void summaryHasALineForEachKeyAndReason() {
    assertThat(SummaryText.of(result))
        .contains(
            "speedup       1.8  [", "at least 1.5:", "not verified:\n  loaded, stock: median");
  }
}
