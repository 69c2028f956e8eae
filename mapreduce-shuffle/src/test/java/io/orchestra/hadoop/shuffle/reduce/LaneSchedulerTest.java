package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.algorithm.Gate;
import io.orchestra.hadoop.shuffle.algorithm.LaneLimits;
import io.orchestra.hadoop.shuffle.algorithm.Lanes;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.LaneScheduler;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host that fails costs what it costs with stock, however many lanes fetch from it. */
@Timeout(60)
final class LaneSchedulerTest {
  private static final int LANES = 10;
  private static final long LENGTH = 64 << 20;

  /** Milliseconds. */
  private static final long PATIENCE = 180_000;

  @TempDir Path directory;
  private final List<Throwable> reported = new ArrayList<>();
  private final Sources sources =
      new Sources(
          new Lanes<>(
              1,
              LaneLimits.of(5, LaneLimits.ALL, LaneLimits.Memory.NONE),
              Gate.ALWAYS,
              new Random(1)),
          (host, url, output) -> {},
          Duration.ofSeconds(1),
          Time::monotonicNow);
  private long now = PATIENCE;
  private Reducer reducer;
  private LaneScheduler<Text, Text> scheduler;

  @BeforeEach
  void begin() throws IOException {
    ShuffledJob job = new ShuffledJob(directory.resolve("local"));
    reducer = new Reducer(directory.resolve("reduce"), job, 1000, 1, 0);
    scheduler = new LaneScheduler<>(reducer.context(), reported::add, sources, () -> now);
  }

  @AfterEach
  void end() throws InterruptedException {
    scheduler.close();
  }

  /**
   * @param outputs how many are on the host
   */
  private List<LaneHost> lanes(int outputs) {
    for (int map = 0; map < outputs; map++) {
      TaskAttemptID output = TaskAttemptID.forName(ShuffledJob.attempt(map));
      sources.finished("host:1", "http://host:1/mapOutput?map=", output);
      sources.ready(
          "host:1", output, Optional.of(new Sources.Size(new Share(LENGTH, LENGTH), LENGTH)));
    }
    return IntStream.range(0, LANES).mapToObj(lane -> sources.poll().orElseThrow()).toList();
  }

  private void fail(List<LaneHost> lanes, boolean readError, boolean connectFailed) {
    for (LaneHost lane : lanes) {
      scheduler.hostFailed(lane.getHostName());
      for (TaskAttemptID output : lane.outputs(sources)) {
        scheduler.copyFailed(output, lane, readError, connectFailed);
      }
    }
  }

  @Test
  void tenConnectionsThatBreakAreOneFailure() {
    fail(lanes(LANES), true, false);

    assertThat(reducer.counter("failed")).isEqualTo(1);
    assertThat(reducer.accused()).hasSize(1);
    assertThat(reported).isEmpty();
  }

  @Test
  void aHostThatIsBusyRestsForAsLongAsOneThatHasFailedAtMost() {
    LaneHost busy = lanes(LANES).get(0);
    busy.outputs(sources).forEach(busy::putBack);
    // Whoever ends its rest takes this lock.
    synchronized (scheduler) {
      scheduler.rest(busy, TimeUnit.DAYS.toMillis(10_000));
      sources.free(busy);
      assertThat(sources.poll()).isEmpty();
    }

    await().atMost(Duration.ofSeconds(30)).until(() -> sources.poll().isPresent());
  }

  @Test
  void obsoleteOutputsAreNotAskedFor() {
    LaneHost lane = lanes(LANES).get(0);

    scheduler.obsoleteMapOutput(lane.outputs(sources).get(0));

    assertThat(lane.outputs(sources)).isEmpty();
  }

  @Test
  void aHostThatRefusesConnectionsIsAccusedOfTwentyOutputs() {
    fail(lanes(40), false, true);

    assertThat(reducer.counter("failed")).isEqualTo(20);
    assertThat(reducer.accused()).hasSize(20).doesNotHaveDuplicates();
  }

  /** Hadoop's fetcher waits for a host that is restarted, but only where it opens a connection. */
  @Test
  void aKeptConnectionThatHasEndedIsNoFailureOfItsHost() throws IOException, InterruptedException {
    patient();
    List<LaneHost> lanes = lanes(40);

    // Whoever ends its rest takes this lock.
    synchronized (scheduler) {
      failAtOnce(lanes);

      assertThat(reducer.counter("failed")).isZero();
      assertThat(reducer.accused()).isEmpty();
      assertThat(sources.poll()).as("a lane to a host that rests").isEmpty();
    }
    lanes.forEach(sources::free);
    await().atMost(Duration.ofSeconds(30)).until(() -> sources.poll().isPresent());
    assertThat(sources.poll()).as("a second lane to a host that has refused").isEmpty();
  }

  @Test
  void aHostThatRefusesConnectionsForLongEnoughHasFailed()
      throws IOException, InterruptedException {
    patient();
    List<LaneHost> lanes = lanes(40);
    lanes.forEach(lane -> lane.connecting(now - PATIENCE));

    fail(lanes, false, true);

    assertThat(reducer.counter("failed")).isEqualTo(20);
  }

  /** Such as one that takes a connection, ends, and is started again by somebody. */
  @Test
  void aHostThatRefusesConnectionsAgainAndAgainHasFailed()
      throws IOException, InterruptedException {
    patient();
    List<LaneHost> lanes = lanes(40);
    failAtOnce(lanes.subList(0, 1));
    now += PATIENCE;
    failAtOnce(lanes.subList(1, 2));

    assertThat(reducer.accused()).isNotEmpty();
  }

  @Test
  void aHostThatHasBroughtSomethingMayRefuseConnectionsAnew()
      throws IOException, InterruptedException {
    patient();
    List<LaneHost> lanes = lanes(40);
    failAtOnce(lanes.subList(0, 1));
    TaskAttemptID brought = lanes.get(1).outputs(sources).get(0);
    scheduler.copySucceeded(brought, lanes.get(1), 1, 0, 1, new NoOutput(brought));
    now += PATIENCE;
    failAtOnce(lanes.subList(2, 3));

    assertThat(reducer.counter("failed")).isZero();
  }

  @Test
  void theOutputsOfATaskThatHasFailedAreNotAskedFor() {
    LaneHost lane = lanes(LANES).get(0);
    TaskAttemptID output = lane.outputs(sources).get(0);

    scheduler.tipFailed(output.getTaskID());

    assertThat(lane.outputs(sources)).isEmpty();
  }

  private void patient() throws IOException, InterruptedException {
    scheduler.close();
    reducer.conf().setInt("mapreduce.reduce.shuffle.connect.timeout", (int) PATIENCE);
    scheduler = new LaneScheduler<>(reducer.context(), reported::add, sources, () -> now);
  }

  private void failAtOnce(List<LaneHost> lanes) {
    lanes.forEach(lane -> lane.connecting(now));
    fail(lanes, false, true);
  }

  /** One that needs no memory. */
  private static final class NoOutput extends MapOutput<Text, Text> {
    NoOutput(TaskAttemptID output) {
      super(output, 0, true);
    }

    @Override
    public void shuffle(
        MapHost host,
        InputStream input,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter) {}

    @Override
    public void commit() {}

    @Override
    public void abort() {}

    @Override
    public String getDescription() {
      return "NONE";
    }
  }
}
