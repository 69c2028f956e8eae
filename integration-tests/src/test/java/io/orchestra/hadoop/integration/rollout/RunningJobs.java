package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.process.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The same job over and over, one after another, until it is told to end. */
final class RunningJobs implements AutoCloseable {
  private static final Duration LONGEST_JOB = Duration.ofMinutes(5);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final RollOutCluster cluster;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicBoolean last = new AtomicBoolean();
  private final AtomicInteger ended = new AtomicInteger();
  private final Future<List<String>> outputs;

  private RunningJobs(RollOutCluster cluster) {
    this.cluster = cluster;
    this.outputs = thread.submit(this::runAll);
  }

  static RunningJobs begin(RollOutCluster cluster) {
    return new RunningJobs(cluster);
  }

  private List<String> runAll() {
    List<String> directories = new ArrayList<>();
    do {
      directories.add(run(cluster));
      ended.incrementAndGet();
    } while (!last.get());
    return directories;
  }

  /**
   * Runs the job once and returns the directory of its output; fails if the job does.
   *
   * @param options settings of this job alone
   */
  static String run(RollOutCluster cluster, String... options) {
    String directory = "output/" + NUMBER.incrementAndGet();
    Command.Outcome outcome =
        cluster.run(
            ImmutableList.<String>builder()
                .add("jar", "examples", "wordcount", "-files", "/tmp/cached")
                .add("-Dmapreduce.job.reduces=2")
                .add(options)
                .add("input", directory)
                .build());
    RollOutCluster.PROGRESS.say(
        "the job of %s ended with status %d".formatted(directory, outcome.status()));
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return directory;
  }

  /** Returns when the job that runs now has ended. */
  void awaitNext() {
    int before = ended.get();
    await().atMost(LONGEST_JOB).until(() -> ended.get() > before || outputs.isDone());
  }

  /** Waits for the job that runs and returns the directories of all outputs, at least one. */
  List<String> end() throws InterruptedException {
    last.set(true);
    try {
      return outputs.get();
    } catch (ExecutionException e) {
      throw new AssertionError("a job failed", e.getCause());
    }
  }

  @Override
  public void close() {
    last.set(true);
    thread.shutdownNow();
  }
}
