package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Streams;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.WaitingCpuEmulator;
import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Workload;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.trace.Trace;
import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GridmixBenchmarkTest {
  private final GridmixBenchmark benchmark = new GridmixBenchmark();

  @TempDir private Path directory;

  @Test
  void keysAreThoseThatWereAskedFor() {
    assertThat(benchmark.ratios())
        .extracting(RatioKey::key)
        .containsExactly(
            "meanJobSpeedup",
            "makespanSpeedup",
            "worstBinSpeedup",
            "only_placement",
            "only_broadcast",
            "only_shuffle",
            "only_prefetch");
    assertThat(benchmark.ratios().stream().filter(RatioKey::quick).map(RatioKey::key))
        .containsExactly("meanJobSpeedup", "makespanSpeedup");
  }

  @Test
  void theWorstBinIsOneOfAnyPluginAndOfAllFour() {
    RatioKey worst = benchmark.ratios().get(2);
    Set<String> arms =
        worst.formulas().stream()
            .map(Formula::operands)
            .map(operands -> operands.get(1))
            .map(ArmFigure::arm)
            .collect(Collectors.toSet());
    assertThat(arms)
        .containsExactlyInAnyOrder(
            "only placement", "only broadcast", "only shuffle", "only prefetch", "all four");
    assertThat(worst.formulas()).hasSize(SizeBin.values().length * arms.size());
  }

  @Test
  void theEmulatorIsCalledByItsName() {
    assertThat(GridmixTestbed.EMULATOR).isEqualTo(WaitingCpuEmulator.class.getName());
  }

  @Test
  void theRecordedTraceHasWhatPluginsAreFor() {
    Trace trace = Traces.recorded();
    List<TraceJob> jobs = trace.views();
    assertThat(jobs).hasSize(MixedJob.MIX.size());
    assertThat(jobs).extracting(TraceJob::submitMillis).isSorted();
    assertThat(jobs.stream().flatMap(job -> job.files().stream()))
        .anyMatch(file -> file.shared() && file.bytes() > 8 << 20)
        .anyMatch(file -> file.uploaded() && file.bytes() > 8 << 20);
    // GridMix would let maps begin in the middle of blocks otherwise.
    assertThat(jobs)
        .allSatisfy(
            job ->
                assertThat(job.inputBytes())
                    .isEqualTo((long) job.maps() * GridmixTestbed.BLOCK_BYTES));
    assertThat(jobs).anyMatch(job -> job.outputBytes() > job.inputBytes() / 2);
    assertThat(trace.jobs()).as("skewed shuffles").anyMatch(GridmixBenchmarkTest::isSkewed);
    assertThat(trace.jobs())
        .flatExtracting(job -> job.findValues("mapTasks").get(0).findValues("cumulativeCpuUsage"))
        .extracting(JsonNode::asLong)
        .hasSize(48)
        .containsOnly(GridmixTestbed.BLOCK_BYTES * 1000L / TraceRecording.MAP_BYTES_PER_SECOND);
  }

  /**
   * Rumen does not write where the input of these maps lay. It follows from what was drawn, and
   * that it does from times: none of those that had to fetch their block was faster than a link.
   */
  @Test
  void mapsOfTheRecordedTraceRanAwayFromTheirInput() {
    Map<String, String> racks = racks();
    List<ObjectNode> jobs = Traces.recorded().jobs();
    List<JsonNode> away = new ArrayList<>();
    for (int number = 0; number < jobs.size(); number++) {
      JsonNode maps = jobs.get(number).path("mapTasks");
      List<Integer> files = TraceRecording.inputFiles(number, maps.size());
      for (int map = 0; map < maps.size(); map++) {
        JsonNode attempt = maps.path(map).path("attempts").path(0);
        String host = attempt.path("location").path("layers").path(1).asText();
        assertThat(racks).containsKey(host);
        if (!TraceRecording.inputHosts(files.get(map), racks).contains(host)) {
          away.add(attempt);
        }
      }
    }

    double bytesPerMilli = GridmixTestbed.LinkRates.MEASURED.host().bytesPerSecond() / 1000;
    assertThat(away)
        .hasSizeGreaterThan(48 / 3)
        .allMatch(
            attempt -> millis(attempt) * bytesPerMilli >= GridmixTestbed.BLOCK_BYTES, "slower");
  }

  private static Map<String, String> racks() {
    Map<String, String> racks = new LinkedHashMap<>();
    for (int rack = 1; rack <= GridmixTestbed.RACKS; rack++) {
      for (int host = 1; host <= GridmixTestbed.HOSTS_PER_RACK; host++) {
        racks.put("r%dh%d".formatted(rack, host), "rack" + rack);
      }
    }
    return racks;
  }

  private static long millis(JsonNode attempt) {
    return attempt.path("finishTime").asLong() - attempt.path("startTime").asLong();
  }

  /** Whether one reduce fetched twice as much as another. */
  private static boolean isSkewed(ObjectNode job) {
    LongSummaryStatistics fetched =
        Streams.stream(job.path("reduceTasks"))
            .flatMap(task -> Streams.stream(task.path("attempts")))
            .mapToLong(attempt -> attempt.path("reduceShuffleBytes").asLong())
            .summaryStatistics();
    return fetched.getMax() > 2 * fetched.getMin();
  }

  @Test
  void descriptionTellsWhatIsRun() {
    Path swim = directory.resolve("swim.tsv");
    FileTree.write(
        swim,
        IntStream.range(0, 30)
            .mapToObj(n -> "job%d\t%d\t1\t%d\t%d\t5".formatted(n, n, 1L << n, n % 2 << 20))
            .collect(Collectors.joining("\n")));
    assertThat(benchmark.describe(options(1, true, new Workload(Optional.of(swim), 2))))
        .containsEntry("trace", swim.toString())
        .hasEntrySatisfying("jobs", jobs -> assertThat(jobs).startsWith("4 with "));
    assertThat(benchmark.describe(options(5, false, Workload.RECORDED)))
        .containsEntry("trace", "recorded")
        .hasEntrySatisfying("cluster", cluster -> assertThat(cluster).contains("links 6mbit"))
        .containsEntry("time", "about 445 minutes, and more if targets stay undecided")
        .hasEntrySatisfying("jobs", jobs -> assertThat(jobs).startsWith("9 with 48 maps"));
    assertThat(benchmark.describe(options(1, true, Workload.RECORDED)))
        .hasEntrySatisfying("cluster", cluster -> assertThat(cluster).contains("links 18mbit"))
        .containsEntry("time", "about 11 minutes")
        .hasEntrySatisfying("jobs", jobs -> assertThat(jobs).startsWith("3 with 18 maps"));
  }

  /** Before a cluster is started for it. */
  @Test
  void aTraceWithFewerJobsThanSizesIsRefused() {
    Path swim = directory.resolve("swim.tsv");
    FileTree.write(swim, "job0\t0\t1\t5\t5\t5\njob1\t1\t1\t5\t5\t5\n");

    assertThatThrownBy(
            () -> benchmark.describe(options(1, true, new Workload(Optional.of(swim), 1))))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("has 2 jobs");
  }

  @Test
  void aThirdOfTheRecordedTraceHasWhatPluginsAreForToo() {
    Trace trace = Traces.recorded().third();
    List<TraceJob> jobs = trace.views();

    assertThat(jobs).hasSize(3);
    assertThat(jobs).extracting(TraceJob::submitMillis).isSorted();
    assertThat(Set.copyOf(SizeBin.of(jobs))).containsExactlyInAnyOrder(SizeBin.values());
    assertThat(jobs.stream().flatMap(job -> job.files().stream()))
        .anyMatch(file -> file.shared() && file.bytes() > 8 << 20);
    assertThat(jobs).filteredOn(job -> job.reduces() > 1).hasSizeGreaterThan(1);
    assertThat(jobs).anyMatch(job -> job.outputBytes() > job.inputBytes() / 2);
    assertThat(trace.jobs()).as("skewed shuffles").anyMatch(GridmixBenchmarkTest::isSkewed);
  }

  private static BenchOptions options(int repetitions, boolean quick, Workload workload) {
    return new BenchOptions(
        "3.5.0",
        repetitions,
        quick,
        false,
        Selection.ALL,
        1,
        List.of(),
        workload,
        Path.of("/results"));
  }
}
