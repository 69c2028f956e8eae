package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.algorithm.Gate;
import io.orchestra.hadoop.shuffle.algorithm.LaneLimits;
import io.orchestra.hadoop.shuffle.algorithm.Lanes;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.LaneScheduler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class LaneFetcherTest {
  private static final long LENGTH = 64 << 20;

  /** Java refuses to connect to such a port, but not with an IOException. */
  private static final String IMPOSSIBLE = "http://localhost:99999/mapOutput?map=";

  /** More than any disk has free. */
  private static final long IMPOSSIBLE_LENGTH = OutputSize.LARGEST;

  private static final TaskAttemptID OUTPUT = TaskAttemptID.forName(ShuffledJob.attempt(0));

  @TempDir Path directory;
  private final List<Throwable> reported = new ArrayList<>();
  private final Deadlines deadlines = new Deadlines();
  private final Sources sources =
      new Sources(
          new Lanes<>(1, LaneLimits.of(5, 0, LaneLimits.Memory.NONE), Gate.ALWAYS, new Random(1)),
          (host, url, output) -> {},
          Duration.ofSeconds(1),
          Time::monotonicNow);

  /** Has a port, so that nobody else gets it and listens there. */
  private final Socket taken = new Socket();

  private LaneScheduler<Text, Text> scheduler;
  private LaneFetcher<Text, Text> fetcher;

  @BeforeEach
  void begin() throws IOException {
    taken.bind(new InetSocketAddress(0));
    ShuffleConsumerPlugin.Context<Text, Text> context =
        new Reducer(
                directory.resolve("reduce"), new ShuffledJob(directory.resolve("local")), 1, 1, 0)
            .context();
    scheduler = new LaneScheduler<>(context, reported::add, sources, Time::monotonicNow);
    fetcher =
        new LaneFetcher<>(
            context,
            scheduler,
            null,
            sources,
            new RangedOutputs<>(null, context.getMapOutputFile(), 0),
            deadlines,
            ShuffleClientMetrics.create(context.getReduceId(), context.getJobConf()),
            reported::add);
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    scheduler.close();
    deadlines.close();
    taken.close();
  }

  @Test
  void anOutputIsFetchedWholeWhateverGoesWrongWithARange() throws IOException {
    tell(LENGTH);
    fetchRange();

    assertIsFetchedWhole();
  }

  @Test
  void anOutputIsFetchedWholeIfItsHostTellsALengthForWhichThereIsNoRoom() throws IOException {
    tell(IMPOSSIBLE_LENGTH);
    fetchRange();

    assertIsFetchedWhole();
  }

  /** A port that nobody listens at. */
  private String nobody() {
    return url(taken.getLocalPort());
  }

  private static String url(int port) {
    return "http://localhost:" + port + "/mapOutput?map=";
  }

  @Test
  void aHostThatRefusesAConnectionForARangeHasOneLane() throws IOException {
    tell(nobody(), OUTPUT, LENGTH);
    tell(nobody(), TaskAttemptID.forName(ShuffledJob.attempt(1)), LENGTH);
    fetchRange();

    assertThat(sources.poll()).isPresent();
    assertThat(sources.poll()).isEmpty();
  }

  /** Hadoop's fetcher tries again, if the job wants that, and tells nobody. */
  @Test
  void aHostWhoseConnectionIsOpenedAgainHasNoMoreLanes() throws IOException {
    for (int map = 0; map < 3; map++) {
      tell(nobody(), TaskAttemptID.forName(ShuffledJob.attempt(map)), LENGTH);
    }
    LaneHost lane = sources.poll().orElseThrow();
    sources.fetched(lane.range().orElseThrow().output());
    fetcher.copyFromHost(lane);
    fetcher.openConnection(new URL(nobody()));
    assertThat(sources.poll()).as("it may be well").isPresent();

    fetcher.openConnection(new URL(nobody()));
    assertThat(sources.poll()).isEmpty();
  }

  /** Or each of its outputs would be tried, and Hadoop's fetcher would meet it after the last. */
  @Test
  void aHostThatTakesNoConnectionForARangeIsAskedForNoMoreOfThem() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket port = new ServerSocket(0, 1)) {
      fill(port, waiting);
      tell(url(port.getLocalPort()), OUTPUT, LENGTH);
      tell(url(port.getLocalPort()), TaskAttemptID.forName(ShuffledJob.attempt(1)), LENGTH);
      fetchRange();
    } finally {
      for (Socket each : waiting) {
        each.close();
      }
    }

    assertThat(sources.isUndivided("host")).isTrue();
    assertThat(sources.poll().orElseThrow().range()).isEmpty();
  }

  /** As many connections as a port takes that nobody accepts from. */
  private static void fill(ServerSocket port, List<Socket> waiting) throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", port.getLocalPort());
    try {
      while (true) {
        Socket next = new Socket();
        waiting.add(next);
        next.connect(address, 500);
      }
    } catch (SocketTimeoutException e) {
      // The others are as many as it takes.
    }
  }

  @Test
  void aLaneKnowsForHowLongItHasWantedAConnection() throws IOException {
    sources.finished("host", nobody(), OUTPUT);
    sources.ready("host", OUTPUT, Optional.empty());
    LaneHost lane = sources.poll().orElseThrow();
    long before = Time.monotonicNow();
    fetcher.copyFromHost(lane);

    long now = Time.monotonicNow();
    assertThat(lane.wantedFor(now)).isBetween(0L, now - before);
  }

  private void tell(long length) {
    tell(IMPOSSIBLE, OUTPUT, length);
  }

  private void tell(String url, TaskAttemptID output, long length) {
    sources.finished("host", url, output);
    sources.ready("host", output, Optional.of(new Sources.Size(new Share(length, length), length)));
  }

  private void fetchRange() throws IOException {
    LaneHost range = sources.poll().orElseThrow();
    assertThat(range.range()).isPresent();
    fetcher.copyFromHost(range);
    sources.free(range);
  }

  private void assertIsFetchedWhole() throws IOException {
    LaneHost whole = sources.poll().orElseThrow();
    assertThat(whole.range()).isEmpty();
    assertThat(whole.outputs(sources)).containsExactly(OUTPUT);
    assertThat(reported).isEmpty();
    assertThat(rangeFiles()).isEmpty();
  }

  private List<Path> rangeFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".ranges")).toList();
    }
  }
}
