package io.orchestra.hadoop.testbed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.bench.FakeBenchmark;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Project;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter error = new StringWriter();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other | there is no benchmark 'other': there are [fake]",
        "fake --repetitions 0 | repetitions: at least 1, not 0",
        "fake --repetitions many | 'many' is not an int",
        "--quick | which benchmark? there are [fake]",
        "all --only loaded | --continue, --only and --arm are for one benchmark, not for all",
        "fake --scale 2 | --scale is for the trace of --swim",
        "fake --swim trace --scale 0 | --scale: above 0, not 0.0",
        "fake --swim trace | --swim is for gridmix",
        "all --swim /no/trace | --swim: there is no file /no/trace",
        "fake --only loaded,loadde | there is no experiment 'loadde': there are [loaded, other, another]",
        "fake --quick --only other | there is no experiment 'other' with --quick: there are [loaded]",
      })
  void wrongCommandLinesAreUsageErrors(String words, String message) {
    assertThat(run(words)).isEqualTo(ExitStatus.USAGE);
    assertThat(error.toString()).contains(message);
  }

  @Test
  void listMarksTheKeysOfQuickRuns() {
    assertThat(run("--list")).isEqualTo(ExitStatus.SUCCESS);
    assertThat(output.toString().lines())
        .containsExactly(
            "fake: Is half | of two one?",
            "  * speedup: above 1 is faster",
            "    saved: seconds saved",
            "    took: seconds");
  }

  @Test
  void theLastLineIsTheResultAndUnverifiedResultsAreASuccess() throws JsonProcessingException {
    String out = directory.resolve("results").toString();
    assertThat(run("fake --quick --repetitions 2 --out " + out)).isEqualTo(ExitStatus.SUCCESS);
    List<String> lines = output.toString().lines().toList();
    JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(last.fieldNames()).toIterable().containsExactly("bench", "verified", "ratios");
    assertThat(last.get("bench").textValue()).isEqualTo("fake");
    assertThat(last.get("verified").booleanValue()).isFalse();
    assertThat(last.get("ratios").toString())
        .isEqualTo("{\"speedup\":1.8,\"saved\":null,\"took\":null}");
    assertThat(lines)
        .contains("not verified:", "report: " + directory.resolve("results/report.md"));
  }

  @Test
  void allIsEveryBenchmarkWithATableAndOneLastLine() throws JsonProcessingException {
    Path out = directory.resolve("results");
    assertThat(run("all --quick --repetitions 2 --out " + out)).isEqualTo(ExitStatus.SUCCESS);
    List<String> lines = output.toString().lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.matches("fake +speedup +1\\.8.*"))
        .anyMatch(line -> line.matches("fake +not verified +.*results/fake/report.md"));
    JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(last.toString())
        .isEqualTo(
            "{\"bench\":\"all\",\"verified\":false,\"ratios\":{\"fake.speedup\":1.8,\"fake.saved\":null,\"fake.took\":null}}");
    assertThat(out.resolve("fake/report.md")).exists();
  }

  @Test
  void oneThatFailsKeepsNoOtherFromRunningButTheCommandFromSucceeding() {
    assertThat(run(2, "all --quick --repetitions 2 --out " + directory.resolve("results")))
        .isEqualTo(ExitStatus.FAILURE);
    assertThat(output.toString().lines()).last().isEqualTo("failed: fake");
  }

  @Test
  void experimentsThatAreNotWantedAreLeftOut() throws JsonProcessingException {
    String out = directory.resolve("results").toString();
    assertThat(run("fake --only other,another --out " + out)).isEqualTo(ExitStatus.SUCCESS);
    List<String> lines = output.toString().lines().toList();
    assertThat(lines).contains("  no experiment was run");
    JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(last.get("ratios").get("speedup").isNull()).isTrue();
    assertThat(FileTree.read(directory.resolve("results/report.md")))
        .contains("--only other,another");
  }

  @Test
  void armsThatAreNotWantedAreLeftOutWithTheKeysThatCompareThem() throws JsonProcessingException {
    Path out = directory.resolve("results");
    assertThat(run("fake --repetitions 2 --arm plugin --out " + out)).isEqualTo(ExitStatus.SUCCESS);
    List<String> lines = output.toString().lines().toList();
    JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(last.get("ratios").get("speedup").isNull()).isTrue();
    assertThat(last.get("ratios").get("took").isNumber()).isTrue();
    assertThat(FileTree.read(out.resolve("report.md")))
        .contains("--arm 'plugin'")
        .doesNotContain("bystander");
  }

  @Test
  void anExperimentWithoutAWantedArmIsLeftOutAndSaysWhatItsArmsAre() {
    assertThat(run("fake --arm plug-in --out " + directory.resolve("results")))
        .isEqualTo(ExitStatus.SUCCESS);
    assertThat(output.toString()).contains("  no experiment was run");
    assertThat(FileTree.read(directory.resolve("results/report.md"))).contains("--arm 'plug-in'");
  }

  private int run(String words) {
    return run(0, words);
  }

  private int run(int failingRepetition, String words) {
    // The fake links stand still because nothing reads the fake clock: no link is busy.
    FakeBenchmark benchmark =
        new FakeBenchmark(new FakeMachine(60, 90).links(), 1, failingRepetition);
    return new CommandLine(
            new BenchCommand(
                List.of(benchmark),
                () -> new Project(directory, "1"),
                () -> new TestbedHome(directory.resolve("home"))))
        .setOut(new PrintWriter(output, true))
        .setErr(new PrintWriter(error, true))
        .execute(words.split(" "));
  }
}
