package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reducer gets what maps wrote from hosts that tell sizes and bring no ranges of outputs. */
@Timeout(300)
final class PartialHostsTest {
  @TempDir Path directory;
  private RunningJob job;

  @BeforeEach
  void begin() {
    job = new RunningJob(directory);
  }

  @AfterEach
  void end() {
    job.close();
  }

  @ParameterizedTest
  @EnumSource(PartialHost.Range.class)
  void aHostThatTellsSizesAndBringsNoRangesIsFetchedFromWhole(PartialHost.Range ranges)
      throws IOException, InterruptedException {
    // Two lanes of ten for each; those that have not been begun are not tried.
    assertThat(askedInRangesUntilAllIsFetchedWhole(ranges, RunningJob::withLittleMemory, 12, 7))
        .hasSizeBetween(1, 6);
  }

  @ParameterizedTest
  @EnumSource(PartialHost.Range.class)
  void aHostThatBringsNoRangesForMemoryIsFetchedFromWhole(PartialHost.Range ranges)
      throws IOException, InterruptedException {
    assertThat(askedInRangesUntilAllIsFetchedWhole(ranges, RunningJob::withMuchMemory, 4, 17))
        .isNotEmpty();
  }

  private Set<String> askedInRangesUntilAllIsFetchedWhole(
      PartialHost.Range ranges, UnaryOperator<Reducer> memory, int maps, int megabytes)
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    try (PartialHost host = new PartialHost(node.outputs(), ranges)) {
      Reducer reducer = memory.apply(job.reducer(maps));
      reducer.conf().setInt("mapreduce.reduce.shuffle.read.timeout", 3000);
      for (int map = 0; map < maps; map++) {
        host.serve(ShuffledJob.attempt(map), job.part(map, megabytes, 1 << 20, null));
        reducer.finished(ShuffledJob.attempt(map), host.url());
      }

      assertThat(RunningJob.result(job.start(reducer))).isEqualTo(job.expected());
      assertThat(reducer.counter("failed")).isZero();
      RunningJob.assertNoThreadsAreLeft();
      return host.askedInRanges();
    }
  }

  @Test
  void aHostThatTellsSizesAndStandsStillIsReported() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    try (PartialHost host = new PartialHost(node.outputs(), PartialHost.Range.NOTHING)) {
      Reducer reducer = RunningJob.withLittleMemory(job.healthyReducer(node));
      reducer.conf().setInt("mapreduce.reduce.shuffle.read.timeout", 1000);
      String still = ShuffledJob.attempt(1);
      host.tell(still, job.part(1, 7, 1 << 20, null));
      reducer.finished(still, host.url());
      Future<Map<String, String>> reducing = job.start(reducer);
      await().atMost(RunningJob.PATIENCE).until(() -> reducer.accused().contains(still));
      String again = ShuffledJob.attempt(1, 1);
      job.map(node, again, 1, 7, 1 << 20, null);
      reducer.obsolete(still);
      reducer.finished(again, node);

      assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
      assertThat(reducer.accused()).containsOnly(still);
    }
  }

  /** Or the others get no memory, and start no merge, until Hadoop gives the silent host up. */
  @Test
  void aHostThatFallsSilentLeavesToOthersTheMemoryThatStartsAMerge()
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = job.reducer(66);
    // Of 7 MB two outputs of the silent host would be nearly half; a merge starts at 4.6 MB.
    reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 10 << 20);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    reducer.conf().setInt("mapreduce.reduce.shuffle.read.timeout", 300_000);
    for (int map = 0; map < 60; map++) {
      reducer.finished(job.map(node, map, 300, 1000), node);
    }
    Future<Map<String, String>> reducing;
    try (PartialHost host = new PartialHost(node.outputs(), PartialHost.Range.NOTHING)) {
      for (int map = 60; map < 66; map++) {
        host.promise(ShuffledJob.attempt(map), job.part(map, 17, 100_000, null));
        reducer.finished(ShuffledJob.attempt(map), host.url());
      }
      reducing = job.start(reducer);
      await().atMost(RunningJob.PATIENCE).until(() -> reducer.counter("shuffled") == 60);
      for (int map = 60; map < 66; map++) {
        String again = ShuffledJob.attempt(map, 1);
        job.map(node, again, map, 17, 100_000, null);
        reducer.obsolete(ShuffledJob.attempt(map));
        reducer.finished(again, node);
      }
    }

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
  }

  @Test
  void aShuffleThatIsInterruptedInTheMiddleOfRangesLeavesNothing()
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    try (PartialHost host = new PartialHost(node.outputs(), PartialHost.Range.DRIP)) {
      Reducer reducer = RunningJob.withLittleMemory(job.reducer(1));
      host.tell(ShuffledJob.attempt(0), job.part(0, 7, 1 << 20, null));
      reducer.finished(ShuffledJob.attempt(0), host.url());
      Future<Map<String, String>> reducing = job.start(reducer);
      await().atMost(RunningJob.PATIENCE).until(() -> !host.askedInRanges().isEmpty());
      await().atMost(RunningJob.PATIENCE).until(() -> !reducer.files().isEmpty());
      assertThat(reducing.cancel(true)).isTrue();

      RunningJob.assertNoThreadsAreLeft();
      await().atMost(RunningJob.PATIENCE).until(() -> reducer.files().isEmpty());
    }
  }
}
