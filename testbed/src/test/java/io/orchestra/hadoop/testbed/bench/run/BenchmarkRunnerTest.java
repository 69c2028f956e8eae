package io.orchestra.hadoop.testbed.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Lists;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.FakeBenchmark;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Workload;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.cluster.ClusterLock;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.process.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchmarkRunnerTest {
  private final FakeMachine machine = new FakeMachine(60, 90);
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @Test
  void armsTakeTurnsWithOneSeedARepetitionAfterWarmUps() throws Exception {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 0);
    RunResult result = run(benchmark, 3, false);
    assertThat(result.verified()).isTrue();
    assertThat(benchmark.ran).hasSize(12);
    for (List<String> turn : Lists.partition(benchmark.ran, 3)) {
      assertThat(turn)
          .extracting(ran -> ran.substring(ran.indexOf(' ')))
          .containsOnly(turn.get(0).substring(turn.get(0).indexOf(' ')));
      assertThat(turn)
          .extracting(ran -> ran.substring(0, ran.indexOf(' ')))
          .containsExactlyInAnyOrder("stock", "plugin", "bystander");
    }
    assertThat(result.experiments().get(0).trials()).hasSize(9);
    assertThat(result.keys().get(0).estimate().orElseThrow().values())
        .containsExactly(2.0, 1.6, 2.0);
    assertThat(progress())
        .contains("loaded, plugin, warm-up 1 of 1: write time (s) 1, CPU idle 0.6")
        .contains("loaded, stock, repetition 3 of 3: write time (s) 2")
        .doesNotContain("undecided");
  }

  @Test
  void undecidedTargetDoublesTheRepetitionsOfItsArmsOnce() throws Exception {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1.8, 0);
    RunResult result = run(benchmark, 2, false);
    assertThat(benchmark.ran)
        .filteredOn(ran -> ran.matches("[a-z]+ [34] .*"))
        .extracting(ran -> ran.substring(0, ran.indexOf(' ')))
        .containsExactlyInAnyOrder("stock", "plugin", "stock", "plugin");
    assertThat(result.experiments().get(0).repetitions()).isEqualTo(4);
    assertThat(progress()).contains("loaded: undecided after 2 repetitions: speedup; 2 more");
  }

  @Test
  void whoWantsOnlyWhatWasPlannedGetsThatAndWhatWasMeasuredBeyondIt() throws Exception {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1.8, 0);
    RunResult planned = runner().run(benchmark, asPlanned(2));
    assertThat(planned.experiments().get(0).repetitions()).isEqualTo(2);
    assertThat(planned.verified()).isTrue();
    assertThat(directory.resolve("report.md")).content().contains(" --as-planned`");
    assertThat(progress()).contains("loaded: undecided after 2 repetitions: speedup; 0 more");

    FakeBenchmark failing = new FakeBenchmark(machine.links(), 1.8, 4);
    assertThatThrownBy(() -> goOn(failing, 2)).hasMessageContaining("repetition 4 (seed ");
    RunResult result =
        runner().goOn(new FakeBenchmark(machine.links(), 1.8, 0), asPlanned(2), false);
    assertThat(result.experiments().get(0).repetitions())
        .as("nobody drops a repetition unseen")
        .isEqualTo(3);
    assertThat(result.verified()).isTrue();
  }

  @Test
  void anArmThatNoKeyComparesMayHaveFewerRepetitions() throws Exception {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 0).withBystanderUpTo(1);
    RunResult result = run(benchmark, 3, false);
    assertThat(benchmark.ran)
        .filteredOn(ran -> ran.startsWith("bystander"))
        .as("a warm-up and one that counts")
        .hasSize(2);
    assertThat(result.experiments().get(0).trials()).hasSize(7);
    assertThat(result.verified()).isTrue();
    assertThat(directory.resolve("report.md"))
        .content()
        .contains("| stock | plugin | bystander (1) |");
    assertThat(goOn(new FakeBenchmark(machine.links(), 1, 1).withBystanderUpTo(1), 3).verified())
        .as("all as they were, though the plugin would fail")
        .isTrue();
  }

  @Test
  void quickRunDoesNotGoOn() throws Exception {
    RunResult result = run(new FakeBenchmark(machine.links(), 1.8, 0), 2, true);
    assertThat(result.experiments().get(0).repetitions()).isEqualTo(2);
  }

  @Test
  void trialThatThrowsFailsTheRunByNameAfterTheResultsSoFarWereWritten() throws IOException {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 2);
    assertThatThrownBy(() -> run(benchmark, 3, false))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("experiment loaded, arm plugin, repetition 2 (seed ")
        .hasMessageContaining("the disk is full");
    JsonNode json = new ObjectMapper().readTree(directory.resolve("result.json").toFile());
    assertThat(json.get("verified").booleanValue()).isFalse();
    assertThat(json.get("reasons").get(0).textValue())
        .startsWith("the run failed: experiment loaded, arm plugin, repetition 2");
    assertThat(json.get("keys").get(0).get("values")).hasSize(1);
    assertThat(directory.resolve("report.md")).exists();
    assertThat(directory.resolve("failure.txt"))
        .content()
        .contains("IllegalStateException: the disk is full", "FakeBenchmark.plugin");
  }

  @Test
  void resultsSoFarAreOnDiskAfterEachRepetition() throws IOException {
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 2);
    Files.createDirectory(directory.resolve("report.md"));
    assertThatThrownBy(() -> run(benchmark, 3, false)).hasMessageContaining("the disk is full");
    assertThat(
            new ObjectMapper()
                .readTree(directory.resolve("result.json").toFile())
                .get("experiments"))
        .hasSize(1);
  }

  @Test
  void runThatIsTerminatedReportsWhatItHasMeasured() throws Exception {
    Process process = ChildJvm.running(WaitingRun.class, directory.toString()).start();
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("waiting");
      process.toHandle().destroy();
      assertThat(process.onExit().join().exitValue()).isEqualTo(128 + 15);
    } finally {
      process.destroyForcibly();
    }
    assertThat(directory.resolve("report.md"))
        .content()
        .contains("arm plugin, repetition 2 (seed ", "interrupted");
    assertThat(goOn(new FakeBenchmark(machine.links(), 1, 0), 3).verified()).isTrue();
  }

  @Test
  void runThatEndedEarlyGoesOnWithTheRepetitionThatIsMissing() throws Exception {
    FakeBenchmark failing = new FakeBenchmark(machine.links(), 1, 2);
    assertThatThrownBy(() -> run(failing, 3, false)).hasMessageContaining("the disk is full");
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 0);
    RunResult result = goOn(benchmark, 3);
    assertThat(benchmark.ran)
        .extracting(ran -> ran.substring(0, ran.lastIndexOf(' ')))
        .filteredOn(ran -> ran.startsWith("stock"))
        .as("a warm-up and what is missing")
        .containsExactly("stock 1", "stock 2", "stock 3");
    assertThat(benchmark.ran).hasSize(9);
    assertThat(result.verified()).isTrue();
    assertThat(result.setup().starts()).hasSize(2);
    assertThat(directory.resolve("failure.txt")).doesNotExist();
    assertThat(directory.resolve("report.md"))
        .content()
        .as("nobody drops a repetition unseen")
        .contains("| ended early | experiment loaded, arm plugin, repetition 2 (seed ");

    RunResult again = goOn(new FakeBenchmark(machine.links(), 1, 1), 3);
    assertThat(again.experiments().get(0).trials())
        .as("all as they were, though the plugin would fail")
        .isEqualTo(result.experiments().get(0).trials());
    assertThat(progress()).contains("loaded, repetition 3 of 3: from the earlier run");
  }

  @Test
  void lineThatWasCutShortIsMeasuredAgain() throws Exception {
    run(new FakeBenchmark(machine.links(), 1, 0), 3, false);
    Path journal = directory.resolve("repetitions.jsonl");
    String lines = Files.readString(journal);
    Files.writeString(journal, lines.substring(0, lines.length() - 20));
    FakeBenchmark benchmark = new FakeBenchmark(machine.links(), 1, 0);
    assertThat(goOn(benchmark, 3).experiments().get(0).trials()).hasSize(9);
    assertThat(benchmark.ran).as("a warm-up and the third repetition").hasSize(6);
    assertThat(goOn(new FakeBenchmark(machine.links(), 1, 1), 3).verified()).isTrue();
  }

  @Test
  void whatAnEarlierRunHasMeasuredIsNotOverwritten() throws Exception {
    run(new FakeBenchmark(machine.links(), 1, 0), 2, false);
    assertThatThrownBy(() -> run(new FakeBenchmark(machine.links(), 1, 0), 2, false))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("is of an earlier run")
        .hasMessageContaining("--continue " + directory);
    assertThat(goOn(new FakeBenchmark(machine.links(), 1, 1), 2).verified()).isTrue();
  }

  @Test
  void oneAtATimeIsMeasured() throws Exception {
    TestbedHome home = new TestbedHome(directory);
    home.prepareDirectories();
    try (ClusterLock lock = ClusterLock.take(home.benchLock(), "measuring")) {
      assertThatThrownBy(() -> run(new FakeBenchmark(machine.links(), 1, 0), 2, false))
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("another orchestra command is measuring");
    }
  }

  @Test
  void runOfOtherOptionsIsNotContinued() throws Exception {
    run(new FakeBenchmark(machine.links(), 1, 0), 2, false);
    assertThatThrownBy(() -> goOn(new FakeBenchmark(machine.links(), 1, 0), 3))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("--repetitions 2")
        .hasMessageContaining("start a new run without --continue");
  }

  @Test
  void whatIsNoRunIsNotContinued() {
    assertThatThrownBy(() -> goOn(new FakeBenchmark(machine.links(), 1, 0), 2))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("repetitions.jsonl is not of a run that can be continued");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void runOfAnotherCommitIsContinuedOnlyIfThatIsSaid() throws Exception {
    run(new FakeBenchmark(machine.links(), 1, 0), 2, false);
    Path journal = directory.resolve("repetitions.jsonl");
    String now = "\"commit\":\"unknown\"";
    String lines = Files.readString(journal);
    assertThat(lines).contains(now);
    Files.writeString(journal, lines.replace(now, "\"commit\":\"0ld\""));
    assertThatThrownBy(() -> goOn(new FakeBenchmark(machine.links(), 1, 0), 2))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("commit=(0ld, unknown)");

    RunResult result = goOn(new FakeBenchmark(machine.links(), 1, 1), 2, true);
    assertThat(result.verified()).as("nothing was measured again").isTrue();
    assertThat(result.setup().commits()).isEqualTo("unknown; 0ld for loaded");
    assertThat(directory.resolve("report.md")).content().contains("unknown; 0ld for loaded");
  }

  /** Whether it shared its classes is not known either. */
  @Test
  void runThatDoesNotSayWhichJavaItHadIsNotContinued() throws Exception {
    run(new FakeBenchmark(machine.links(), 1, 0), 2, false);
    Path journal = directory.resolve("repetitions.jsonl");
    String java = ",\"Java\":\"" + Runtime.version() + "\"";
    String lines = Files.readString(journal);
    assertThat(lines).containsOnlyOnce(java);
    Files.writeString(journal, lines.replace(java, ""));
    assertThatThrownBy(() -> goOn(new FakeBenchmark(machine.links(), 1, 0), 2, true))
        .isInstanceOf(TestbedException.class)
        .hasMessageEndingWith("Then and now: Java=(unknown, " + Runtime.version() + ")");
  }

  private BenchOptions asPlanned(int repetitions) {
    return new BenchOptions(
        "3.5.0",
        repetitions,
        false,
        true,
        Selection.ALL,
        1,
        List.of(),
        Workload.RECORDED,
        directory);
  }

  private RunResult goOn(FakeBenchmark benchmark, int repetitions) throws Exception {
    return goOn(benchmark, repetitions, false);
  }

  private RunResult goOn(FakeBenchmark benchmark, int repetitions, boolean acrossCommits)
      throws Exception {
    return runner()
        .goOn(
            benchmark, new BenchOptions("3.5.0", repetitions, false, 1, directory), acrossCommits);
  }

  private RunResult run(FakeBenchmark benchmark, int repetitions, boolean quick) throws Exception {
    return runner().run(benchmark, new BenchOptions("3.5.0", repetitions, quick, 1, directory));
  }

  private BenchmarkRunner runner() {
    return runner(directory, machine, progress);
  }

  private static BenchmarkRunner runner(
      Path directory, FakeMachine machine, OutputStream progress) {
    return new BenchmarkRunner(
        new RunEnvironment(
            new TestbedHome(directory),
            new Project(directory, "1"),
            new Progress(new PrintStream(progress, true, StandardCharsets.UTF_8), () -> 0),
            machine.sampler()));
  }

  private String progress() {
    return progress.toString(StandardCharsets.UTF_8);
  }

  /** A run whose second repetition waits until it is interrupted. */
  static final class WaitingRun {
    private WaitingRun() {}

    public static void main(String[] arguments) throws Exception {
      Path directory = Path.of(arguments[0]);
      FakeMachine machine = new FakeMachine(60, 90);
      FakeBenchmark benchmark =
          new FakeBenchmark(machine.links(), 1, 2)
              .failingBy(
                  () -> {
                    System.out.println("waiting");
                    Waiting.until(() -> false, "nothing", 60);
                  });
      RunResult unused =
          runner(directory, machine, OutputStream.nullOutputStream())
              .run(benchmark, new BenchOptions("3.5.0", 3, false, 1, directory));
    }
  }
}
