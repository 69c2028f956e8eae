package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reducer gets what maps wrote though some of it was lost or spoilt on disk. */
@Timeout(300)
final class SpoiltOutputsTest {
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

  @Test
  void aDeletedOutputIsReportedAndItsReplacementFetched() throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(RunningJob::withLittleMemory, 1000, Files::delete, 0);
  }

  @Test
  void aCorruptOutputIsReportedAndItsReplacementFetched() throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(RunningJob::withLittleMemory, 1000, RunningJob::corrupt, 0);
  }

  @Test
  void aCorruptOutputThatComesInRangesIsFetchedWholeThenReportedAndReplaced()
      throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(
        RunningJob::withLittleMemory, 200_000, RunningJob::corrupt, 3);
  }

  @Test
  void aCorruptOutputThatComesToMemoryInRangesIsFetchedWholeThenReportedAndReplaced()
      throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(RunningJob::withMuchMemory, 200_000, RunningJob::corrupt, 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOutputThatIsCutShortInRangesIsReportedAndReplaced(boolean inMemory)
      throws IOException, InterruptedException {
    aBrokenOutputIsReportedAndReplaced(
        inMemory ? RunningJob::withMuchMemory : RunningJob::withLittleMemory,
        200_000,
        file -> {
          try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
            data.setLength(data.length() / 2);
          }
        },
        0);
  }

  /** Does something bad to a file. */
  @FunctionalInterface
  private interface Harm {
    void to(Path file) throws IOException;
  }

  private void aBrokenOutputIsReportedAndReplaced(
      UnaryOperator<Reducer> memory, int records, Harm harm, long leastRanges)
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = memory.apply(job.healthyReducer(node));
    String broken = job.map(node, 1, records, 100);
    harm.to(node.outputs().directory(broken).resolve("file.out"));
    reducer.finished(broken, node);
    Future<Map<String, String>> reducing = job.start(reducer);
    await().atMost(RunningJob.PATIENCE).until(() -> reducer.accused().contains(broken));
    assertThat(RunningJob.ranges(leastRanges)).isGreaterThanOrEqualTo(leastRanges);
    String again = ShuffledJob.attempt(1, 1);
    job.map(node, again, 1, records, 100, null);
    reducer.obsolete(broken);
    reducer.finished(again, node);

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
    assertThat(reducer.accused()).containsOnly(broken);
  }

  @Test
  void anOutputThatIsRepairedIsFetchedInTheEnd() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.healthyReducer(node));
    String attempt = job.map(node, 1, 20_000, 1000);
    reducer.finished(attempt, node);
    RunningJob.corrupt(node.outputs().directory(attempt).resolve("file.out"));
    Future<Map<String, String>> reducing = job.start(reducer);
    await().atMost(RunningJob.PATIENCE).until(() -> reducer.accused().contains(attempt));
    RunningJob.corrupt(node.outputs().directory(attempt).resolve("file.out"));

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
  }

  /** With one output it is the last merge that fails, with eight one before it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void aMergeThatFailsEndsTheShuffleAndLeavesNoThread(int maps)
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(maps));
    for (int map = 0; map < maps; map++) {
      String attempt = ShuffledJob.attempt(map);
      node.outputs().write(attempt, List.of(Records.unreadable(400_000)));
      reducer.finished(attempt, node);
    }
    Future<Map<String, String>> reducing = job.start(reducer);

    assertThatIOException()
        .isThrownBy(() -> RunningJob.result(reducing))
        .withStackTraceContaining("value too long to fit in integer");
    RunningJob.assertNoThreadsAreLeft();
  }
}
