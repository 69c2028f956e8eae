package io.orchestra.hadoop.testbed.bench.sample;

import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Snapshots once a second on a thread of its own, from construction until {@link #close}. */
public final class Sampling implements AutoCloseable {
  private static final long PERIOD_SECONDS = 1;

  private final Sampler sampler;
  private final Optional<Links> links;
  private final ScheduledExecutorService thread;

  // INVARIANT: guarded by this; after a failure nothing is added.
  private final List<Snapshot> snapshots = new ArrayList<>();
  private Optional<RuntimeException> failure = Optional.empty();

  Sampling(Sampler sampler, Optional<Links> links) {
    this.sampler = sampler;
    this.links = links;
    Snapshot first = sampler.snapshot(links);
    links.ifPresent(wanted -> requireAllCounted(wanted, first));
    snapshots.add(first);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> DaemonThread.of("orchestra-sampling", task));
    ScheduledFuture<?> unused =
        thread.scheduleAtFixedRate(this::sample, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private static void requireAllCounted(Links links, Snapshot snapshot) {
    if (!snapshot.linkBytes().keySet().containsAll(links.capacities().keySet())) {
      throw new TestbedException(
          "bytes are counted for the links %s only, not for all of %s"
              .formatted(snapshot.linkBytes().keySet(), links.capacities().keySet()));
    }
  }

  synchronized void sample() {
    if (failure.isEmpty()) {
      try {
        snapshots.add(sampler.snapshot(links));
      } catch (RuntimeException e) {
        failure = Optional.of(e);
      }
    }
  }

  /**
   * Takes a last snapshot; fails if one could not be taken.
   *
   * @param window only snapshots in it count; if there are fewer than two, nothing is known
   * @return what the snapshots say
   */
  public synchronized Usage finish(Optional<Window> window) {
    thread.shutdown();
    sample();
    if (failure.isPresent()) {
      throw new TestbedException(
          "cannot sample processors and links: " + failure.get().getMessage(), failure.get());
    }
    List<Snapshot> counted =
        snapshots.stream()
            .filter(
                snapshot -> window.stream().allMatch(part -> part.contains(snapshot.nanoTime())))
            .toList();
    return counted.size() < 2 ? Usage.NONE : Usage.of(counted, links);
  }

  /** Stops; does nothing after {@link #finish}. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
