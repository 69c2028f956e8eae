package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.WeightedShuffle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where ours cannot or shall not begin, a reducer gets what maps wrote by stock's shuffle. */
@Timeout(120)
final class StockShuffleTest {
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
  void isStockWhereItCannotBegin() throws IOException, InterruptedException {
    JobConf broken =
        new JobConf() {
          @Override
          public int getNumReduceTasks() {
            boolean ours =
                StackWalker.getInstance()
                    .walk(
                        frames ->
                            frames.anyMatch(
                                frame ->
                                    frame.getClassName().equals(LaneShuffle.class.getName())
                                        && frame.getMethodName().equals("init")));
            if (ours) {
              throw new IllegalStateException("on purpose");
            }
            return super.getNumReduceTasks();
          }
        };
    ShuffleNode node = job.node();
    Reducer reducer = new Reducer(broken, directory.resolve("reduce"), node.outputs(), 1, 1, 0);
    reducer.finished(job.map(node, 0, 10, 10), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(ServerMetrics.sum("SizesAnswered")).isZero();
    RunningJob.assertNoThreadsAreLeft();
  }

  @Test
  void aSecondAttemptIsStocks() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    String map = job.map(node, 0, 10, 10);
    // The last is the first of a job's second application master.
    for (int attempt : new int[] {1, 1001, 1000}) {
      assertThat(ServerMetrics.sum("SizesAnswered")).isZero();
      Reducer reducer =
          new Reducer(directory.resolve("attempt" + attempt), node.outputs(), 1, 1, 0);
      reducer.attempt(attempt);
      reducer.finished(map, node);

      assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    }
    assertThat(ServerMetrics.sum("SizesAnswered")).isEqualTo(1);
  }

  @Test
  void isStockWhereItIsSwitchedOffOrCannotReadItsSettings()
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    String attempt = job.map(node, 0, 10, 10);
    for (Map.Entry<String, String> setting :
        Map.of("orchestra.shuffle.enabled", "false", "orchestra.shuffle.gate", "ajar").entrySet()) {
      Reducer reducer = new Reducer(directory.resolve(setting.getValue()), node.outputs(), 1, 1, 0);
      reducer.conf().set(setting.getKey(), setting.getValue());
      reducer.finished(attempt, node);

      assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    }
    assertThat(ServerMetrics.sum("SizesAnswered")).isZero();
  }

  @Test
  void isStockWhereMapsRanInTheSameProcess() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = job.reducer(1);
    String map = job.map(node, 0, 10, 10);
    // Nobody says where to fetch it: only who takes it from its file gets it.
    reducer.local(map, node.outputs().directory(map).resolve("file.out"));

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(reducer.counter("shuffled")).isEqualTo(1);
    assertThat(ServerMetrics.sum("SizesAnswered")).isZero();
    RunningJob.assertNoThreadsAreLeft();
  }
}
