package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import io.orchestra.hadoop.placement.algorithm.HostLoad;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import io.orchestra.hadoop.placement.algorithm.Scope;
import io.orchestra.hadoop.placement.namenode.NetworkChooser.Placed;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PlacementStateTest {
  private static final int SNAPSHOTS = 2000;
  private static final int COPIES = 100;

  private final ClusterFixture cluster = ClusterFixture.of(1, 1).started().loaded();
  private final PublishedSnapshot first = cluster.state.snapshot().orElseThrow();
  private final HostLoad[] idle = {HostLoad.foreign(0, Long.MAX_VALUE, 1, 1)};

  /**
   * What a snapshot takes over while it is taken back would stay on it, and on all that follow. The
   * two meet many times.
   */
  @Test
  void whatIsTakenBackWhileASnapshotIsPublishedIsNoLoadOnIt()
      throws InterruptedException, ExecutionException {
    ExecutorService collector = Executors.newSingleThreadExecutor();
    try {
      Future<?> publishing =
          collector.submit(
              () -> {
                for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
                  publishNext();
                }
              });
      while (!publishing.isDone()) {
        List<Placed> thrownAway = Stream.generate(this::place).limit(COPIES).toList();
        thrownAway.forEach(cluster.state::takeBack);
      }
      publishing.get();
    } finally {
      collector.shutdownNow();
    }

    assertThat(links().copies(0)).isZero();
    assertThat(links().pending(0)).isZero();
  }

  private Placed place() {
    LinkSnapshot links = links();
    return new Placed(
        cluster.nodes.get(0),
        links,
        links.place(0, Scope.everywhere(links.tree()), ClusterFixture.BLOCK, System.nanoTime()));
  }

  /** Another of the same links, which takes over all that is pending. */
  private void publishNext() {
    BitSet reporting = new BitSet();
    reporting.set(0);
    cluster.state.publish(
        new PublishedSnapshot(
            first.config(),
            new LinkSnapshot(
                first.links().tree(), idle, Algorithm.SHARE, host -> true, new Random(1)),
            ImmutableList.copyOf(cluster.nodes),
            reporting,
            System.nanoTime()),
        Duration.ofDays(1));
  }

  private LinkSnapshot links() {
    return cluster.state.snapshot().orElseThrow().links();
  }
}
