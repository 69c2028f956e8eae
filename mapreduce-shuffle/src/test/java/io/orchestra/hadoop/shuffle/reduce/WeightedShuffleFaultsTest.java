package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reducer gets what maps wrote, whatever happens on the way: real services, real map outputs. */
@Timeout(300)
final class WeightedShuffleFaultsTest {
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
  void aHostThatTakesFewConnectionsIsAskedAgainAndHasNotFailed()
      throws IOException, InterruptedException {
    Configuration few = new Configuration();
    few.setInt(ShuffleHandler.MAX_SHUFFLE_CONNECTIONS, 2);
    ShuffleNode node = job.node(new WeightedShuffleHandler(), few);
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(2));
    reducer.finished(job.map(node, 0, 40_000, 1000), node);
    reducer.finished(job.map(node, 1, 40_000, 1000), node);

    assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());
    assertThat(reducer.counter("failed")).isZero();
    assertThat(RunningJob.ranges(11)).isGreaterThan(10);
  }

  @Test
  void anObsoleteOutputOnAHostThatIsGoneIsReplacedByAnother()
      throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    ShuffleNode gone = job.node();
    Reducer reducer = job.healthyReducer(node);
    reducer.finished(ShuffledJob.attempt(1), gone);
    gone.stop();
    Future<Map<String, String>> reducing = job.start(reducer);
    await().atMost(RunningJob.PATIENCE).until(() -> reducer.counter("failed") > 0);
    String again = ShuffledJob.attempt(1, 1);
    job.map(node, again, 1, 10, 10, null);
    reducer.obsolete(ShuffledJob.attempt(1));
    reducer.finished(again, node);

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
    assertThat(reducer.accused()).containsOnly(ShuffledJob.attempt(1));
  }

  @Test
  void aHostThatRestartsWhileItServesIsFetchedFromAgain() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = job.healthyReducer(node);
    Future<Map<String, String>> reducing = job.start(reducer);
    await().atMost(RunningJob.PATIENCE).until(() -> reducer.counter("shuffled") == RunningJob.MOST);
    node.stop();
    reducer.finished(job.map(node, 1, 1000, 100), node);
    await().atMost(RunningJob.PATIENCE).until(() -> reducer.counter("failed") > 0);
    node.restart(new WeightedShuffleHandler());

    assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
  }

  @Test
  void aFailureOfAHostCountsOnceHoweverManyLanesMeetIt() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    Reducer reducer = job.reducer(60);
    reducer.conf().set("orchestra.shuffle.gate", "always");
    // So long that no lane asks the host again before all have met its failure.
    reducer.conf().setLong("mapreduce.reduce.shuffle.retry-delay.max.ms", 60_000);
    for (int map = 0; map < 60; map++) {
      reducer.finished(job.map(node, map, 100, 100), node);
    }
    IntStream.range(0, 60).forEach(map -> delete(node, map));
    Future<Map<String, String>> reducing = job.start(reducer);

    // As stock: a reducer that cannot fetch anything gives up.
    assertThatIOException()
        .isThrownBy(() -> RunningJob.result(reducing))
        .withStackTraceContaining("MAX_FAILED_UNIQUE_FETCHES");
    // What one request of stock's asks for, at most. The host may have told of few of its outputs
    // when it was first asked: fewer than five failures end no shuffle, and it is asked again.
    assertThat(reducer.counter("failed")).isBetween(5L, 4L + 20);
    RunningJob.assertNoThreadsAreLeft();
  }

  private static void delete(ShuffleNode node, int map) {
    try {
      Files.delete(node.outputs().directory(map).resolve("file.out"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHostThatNeverAnswersDoesNotHoldUpTheOthers() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    try (ServerSocket mute = new ServerSocket(0)) {
      Reducer reducer = job.healthyReducer(node);
      reducer.conf().setInt("mapreduce.reduce.shuffle.read.timeout", 1000);
      reducer.conf().set("orchestra.shuffle.size-wait", "1s");
      reducer.finished(ShuffledJob.attempt(1), "http://localhost:" + mute.getLocalPort());
      Future<Map<String, String>> reducing = job.start(reducer);
      await()
          .atMost(RunningJob.PATIENCE)
          .until(() -> reducer.counter("shuffled") == RunningJob.MOST);
      await().atMost(RunningJob.PATIENCE).until(() -> reducer.counter("failed") > 0);
      String again = ShuffledJob.attempt(1, 1);
      job.map(node, again, 1, 10, 10, null);
      reducer.obsolete(ShuffledJob.attempt(1));
      reducer.finished(again, node);

      assertThat(RunningJob.result(reducing)).isEqualTo(job.expected());
    }
  }

  /** There is room for half of the outputs. */
  @Test
  void rangesThatWaitForMemoryComeWhenItHasBeenMerged() throws IOException, InterruptedException {
    List<ShuffleNode> nodes = List.of(job.node(), job.node(), job.node(), job.node());
    Reducer reducer = RunningJob.withMuchMemory(job.reducer(8));
    reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 80 << 20);
    reducer.conf().setFloat("mapreduce.reduce.shuffle.memory.limit.percent", 0.4f);
    reducer.conf().setFloat("mapreduce.reduce.shuffle.merge.percent", 0.9f);
    for (int map = 0; map < 8; map++) {
      ShuffleNode node = nodes.get(map % 4);
      reducer.finished(job.map(node, map, 17 + map / 4, 1 << 20), node);
    }

    assertThat(RunningJob.result(job.start(reducer))).isEqualTo(job.expected());
    assertThat(reducer.counter("failed")).isZero();
    assertThat(RunningJob.ranges(16)).isGreaterThanOrEqualTo(16);
  }

  @Test
  void aShuffleWhoseMasterIsGoneWhenAllIsFetchedLeavesNothing() throws IOException {
    ShuffleNode node = job.node();
    Reducer reducer = RunningJob.withLittleMemory(job.reducer(8));
    reducer.deafMaster();
    for (int map = 0; map < 8; map++) {
      reducer.finished(job.map(node, map, 1000, 100), node);
    }
    Future<Map<String, String>> reducing = job.start(reducer);

    assertThatIOException()
        .isThrownBy(() -> RunningJob.result(reducing))
        .withStackTraceContaining("on purpose");
    assertThat(reducer.counter("shuffled")).isEqualTo(8);
    RunningJob.assertNoThreadsAreLeft();
  }
}
