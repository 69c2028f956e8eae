package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a reducer tells of its shuffle, to its master, to Hadoop's metrics and in its log. */
@Timeout(120)
final class ShuffleAccountTest {
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

  /** Of five maps one comes in ranges, others in memory. */
  private ShuffleNode fewMaps() throws IOException {
    ShuffleNode node = job.node();
    for (int map = 0; map < 5; map++) {
      job.map(node, map, map == 0 ? 10_000 : 100, 1000);
    }
    return node;
  }

  private Reducer reducer(String name, ShuffleNode node) throws IOException {
    Reducer reducer =
        RunningJob.withLittleMemory(new Reducer(directory.resolve(name), node.outputs(), 5, 1, 0));
    for (int map = 0; map < 5; map++) {
      reducer.finished(ShuffledJob.attempt(map), node);
    }
    return reducer;
  }

  @Test
  void countersAndProgressAreStocks() throws IOException, InterruptedException {
    ShuffleNode node = fewMaps();
    Reducer stock = reducer("stock", node);
    Reducer weighted = reducer("weighted", node);
    Map<String, String> records = stock.run(new Shuffle<>());

    assertThat(weighted.run(new WeightedShuffle<>())).isEqualTo(records);
    assertThat(weighted.counters())
        .isEqualTo(stock.counters())
        .containsEntry("test.shuffled", 5L)
        .containsEntry("Shuffle Errors.IO_ERROR", 0L);
    assertThat(weighted.progress()).isEqualTo(stock.progress()).contains("5 / 5 copied");
    assertThat(RunningJob.ranges(1)).isPositive();
  }

  @Test
  void metricsAreStocks() throws IOException, InterruptedException {
    ShuffleNode node = fewMaps();
    Map<String, Long> stock = counted(new Shuffle<>(), reducer("stock", node));

    assertThat(counted(new WeightedShuffle<>(), reducer("weighted", node)))
        .isEqualTo(stock)
        .containsEntry("NumSuccessFetches", 5L)
        .containsEntry("NumFailedFetches", 0L)
        .hasEntrySatisfying("NumBytes", bytes -> assertThat(bytes).isGreaterThan(10_000_000));
    assertThat(RunningJob.ranges(1)).isPositive();
  }

  /** What Hadoop's metrics of fetchers have more after a shuffle. */
  private Map<String, Long> counted(ShuffleConsumerPlugin<Text, Text> shuffle, Reducer reducer)
      throws IOException, InterruptedException {
    Map<String, Long> before = fetches();
    assertThat(reducer.run(shuffle)).isEqualTo(job.expected());
    Map<String, Long> counted = fetches();
    counted.replaceAll((name, count) -> count - before.get(name));
    return counted;
  }

  private static Map<String, Long> fetches() {
    Map<String, Long> fetches = new TreeMap<>();
    for (String metric : new String[] {"NumSuccessFetches", "NumFailedFetches", "NumBytes"}) {
      fetches.put(metric, ClientMetrics.sum(metric));
    }
    return fetches;
  }

  /** On a busy machine sizes come at different times, and the first requests follow no weights. */
  @Test
  void anAttemptLogsOneLine() throws IOException, InterruptedException {
    Reducer reducer = reducer("weighted", fewMaps());

    assertLogs(reducer, 5, "[1-9]\\d* of \\d+");
  }

  @Test
  void allRequestsFollowWeightsWhereAllSizesAreKnown() throws IOException, InterruptedException {
    ShuffleNode node = job.node();
    job.map(node, 0, 10_000, 1000);
    Reducer reducer =
        RunningJob.withLittleMemory(
            new Reducer(directory.resolve("weighted"), node.outputs(), 1, 1, 0));
    reducer.finished(ShuffledJob.attempt(0), node);

    assertLogs(reducer, 1, "([1-9]\\d*) of \\1");
  }

  /**
   * @param outputs all of known size, of which one comes in ranges
   * @param byWeight how many requests follow weights, a regular expression
   */
  private void assertLogs(Reducer reducer, int outputs, String byWeight)
      throws IOException, InterruptedException {
    try (LogLines log = new LogLines(LaneShuffle.class)) {
      assertThat(reducer.run(new WeightedShuffle<>())).isEqualTo(job.expected());

      assertThat(log.lines())
          .singleElement()
          .asString()
          .matches(
              "Shuffle of attempt_1700000000000_0001_r_000000_0: %d bytes in \\d+ ms; %d map outputs from 1 hosts, %d of known size, 1 fetched in ranges; at most \\d+ lanes, %s requests by weight; 0 hosts tell no sizes; the busiest link known carries %d bytes, a reducer gets %d on average"
                  .formatted(
                      reducer.counter("bytes"),
                      outputs,
                      outputs,
                      byWeight,
                      reducer.counter("bytes"),
                      reducer.counter("bytes")));
    }
  }
}
