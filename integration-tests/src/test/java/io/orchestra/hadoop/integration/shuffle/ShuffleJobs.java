package io.orchestra.hadoop.integration.shuffle;

import static org.awaitility.Awaitility.await;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.integration.shuffle.ShuffleCluster.Finished;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Jobs of alice's, each with a client of its own. */
final class ShuffleJobs implements AutoCloseable {
  static final Duration LONGEST = Duration.ofMinutes(15);

  private static final String PLUGIN = "mapreduce.job.reduce.shuffle.consumer.plugin.class=";
  static final String STOCK = PLUGIN + "org.apache.hadoop.mapreduce.task.reduce.Shuffle";
  static final String WEIGHTED = PLUGIN + "io.orchestra.hadoop.shuffle.WeightedShuffle";

  /** However busy the machine is. */
  static final String SIZES_ARE_AWAITED = "orchestra.shuffle.size-wait=5s";

  private final ShuffleCluster cluster;
  private final ExecutorService clients = Executors.newCachedThreadPool();

  ShuffleJobs(ShuffleCluster cluster) {
    this.cluster = cluster;
  }

  /** A job that runs, and its id. */
  record Running(String id, Future<Finished> end) {}

  /** Settings of a job by which one reducer gets all, in ranges. */
  static List<String> ranges(String... more) {
    return with(
        List.of(
            WEIGHTED,
            "mapreduce.job.reduces=1",
            "orchestra.shuffle.gate=always",
            SIZES_ARE_AWAITED,
            // Outputs of megabytes do not fit memory.
            "mapreduce.reduce.shuffle.memory.limit.percent=0.005"),
        more);
  }

  static List<String> with(List<String> settings, String... more) {
    return ImmutableList.<String>builder().addAll(settings).add(more).build();
  }

  Future<Finished> begin(String program, List<String> settings, String... arguments) {
    return clients.submit(() -> cluster.examples(program, settings, arguments));
  }

  /** Sorts all rows. No other job begins at the same time. */
  Running sort(List<String> settings, String output) {
    // Or a map has no room beside a master whose job has ended, and runs on another host.
    cluster.awaitIdle();
    Optional<String> before = cluster.lastJob();
    Future<Finished> end = begin("terasort", settings, "/user/alice/rows", output);
    Optional<String> id =
        await()
            .atMost(LONGEST)
            .until(
                () -> cluster.lastJob().filter(last -> !before.equals(Optional.of(last))),
                found -> found.isPresent() || end.isDone());
    return new Running(id.orElseThrow(() -> new AssertionError("no job was submitted")), end);
  }

  Finished end(Running job) throws InterruptedException {
    return end(job.end());
  }

  Finished end(Future<Finished> job) throws InterruptedException {
    try {
      return job.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a job failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a job does not end", e);
    }
  }

  @Override
  public void close() {
    clients.shutdownNow();
  }
}
