package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Draw;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.cluster.Faults;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Kills a daemon at a moment of a schedule, and starts it again: a DataNode ten seconds later, a
 * ResourceManager at once. The schedule begins when this is made.
 *
 * <p>The DataNode is the first in an order that follows from the seed; with our scheduler the first
 * of those to which a block is on its way. If no block is on its way to any host at that moment,
 * the next one is awaited, for ten seconds at most: later there is less left that it could disturb.
 */
final class DaemonKill implements AutoCloseable {
  private static final Duration DATANODE_DOWN = Duration.ofSeconds(10);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_END = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * A block on its way.
   *
   * @param host to which it comes
   * @param bytes that have come
   */
  record Block(String host, long bytes) {}

  /**
   * What was done.
   *
   * @param host whose daemon it was
   * @param afterMillis since the schedule began
   * @param delayMillis since it was to be done
   * @param at milliseconds since 1970
   * @param servedAt milliseconds since 1970 when it served all workers again
   * @param blocks that were on their way; none with stock
   */
  record Killed(
      Daemon daemon,
      String host,
      long afterMillis,
      long delayMillis,
      long at,
      long servedAt,
      List<Block> blocks) {
    Killed {
      blocks = List.copyOf(blocks);
    }

    /** Whether about as much of the schedule was left as with stock. */
    boolean isInTime() {
      return delayMillis <= LONGEST_WAIT.toMillis();
    }

    /** Blocks that came to its host. None comes to that of a ResourceManager: others copy on. */
    List<Block> lost() {
      return coming(host, blocks);
    }

    void addTo(Measurement.Builder measurement) {
      measurement
          .counter("killed: milliseconds after the beginning", afterMillis)
          .counter("killed: milliseconds later than planned", delayMillis)
          .counter("killed: milliseconds until it served again", servedAt - at)
          .counter("killed: on " + host, 1)
          .counter("killed: blocks on their way then", blocks.size());
      if (daemon == Daemon.DATANODE) {
        measurement
            .counter("killed: blocks on their way that it took with it", lost().size())
            .counter(
                "killed: bytes that had come of these",
                lost().stream().mapToLong(Block::bytes).sum());
      }
    }

    @Override
    public String toString() {
      return "the %s on %s, %.0f s after the beginning, until %.0f s later; %d blocks on their way"
          .formatted(
              daemon.daemonName(), host, afterMillis / 1e3, (servedAt - at) / 1e3, blocks.size());
    }
  }

  private final PrefetchTestbed testbed;
  private final boolean isOurs;
  private final Daemon daemon;

  /** Those on which it may be killed, the likelier ones first. */
  private final List<String> hosts;

  /** Milliseconds after the beginning. */
  private final long planned;

  private final long start = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> DaemonThread.of("orchestra-daemon-kill", work));
  private final Future<Killed> killed;

  /**
   * @param millis after which it is killed
   */
  DaemonKill(
      PrefetchTestbed testbed, Scheduling scheduling, Daemon daemon, long seed, long millis) {
    this.testbed = testbed;
    isOurs = scheduling.isOurs();
    this.daemon = daemon;
    planned = millis;
    List<String> workers = testbed.bench().workers();
    hosts =
        daemon == Daemon.RESOURCEMANAGER
            ? List.of(testbed.bench().cluster().plan().firstMaster().name())
            : new Draw(seed, "killed host").some(workers.size(), workers);
    killed = timer.schedule(() -> kill(), millis, TimeUnit.MILLISECONDS);
  }

  /** Returns once the daemon serves again. */
  Killed killed() throws ExecutionException, InterruptedException {
    return killed.get();
  }

  /** Why it was not killed, or not started again, if that has failed by now. */
  Optional<TestbedException> failure() {
    if (!killed.isDone()) {
      return Optional.empty();
    }
    try {
      Killed unused = Futures.getDone(killed);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(
          new TestbedException(
              "the %s could not be killed and started again: %s"
                  .formatted(daemon.daemonName(), e.getCause().getMessage()),
              e.getCause()));
    }
  }

  private Killed kill() throws InterruptedException {
    Faults faults = testbed.bench().running().faults();
    List<Block> blocks = isOurs ? awaitBlocks() : List.of();
    String host = target(hosts, blocks);
    long afterMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    long at = System.currentTimeMillis();
    faults.kill(host, daemon);
    if (daemon == Daemon.DATANODE) {
      TimeUnit.MILLISECONDS.sleep(DATANODE_DOWN.toMillis());
    }
    // Configured as it was: with stock a DataNode has the plugin, too.
    faults.restart(host, daemon);
    // A ResourceManager answers before it has recovered anything.
    testbed.bench().running().awaitWorkers();
    long servedAt = System.currentTimeMillis();
    if (isOurs) {
      testbed.awaitReport();
    }
    testbed.awaitDaemons();
    return new Killed(daemon, host, afterMillis, afterMillis - planned, at, servedAt, blocks);
  }

  private List<Block> awaitBlocks() throws InterruptedException {
    long end = System.nanoTime() + LONGEST_WAIT.toNanos();
    List<Block> blocks = look();
    while (blocks.isEmpty() && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      blocks = look();
    }
    return blocks;
  }

  private List<Block> look() {
    return testbed.report().map(DaemonKill::onTheirWay).orElse(List.of());
  }

  /**
   * Blocks of which some has come.
   *
   * @param report the coordinator's page
   */
  static List<Block> onTheirWay(JsonNode report) {
    return WebClient.elements(report.path("flows")).stream()
        .map(flow -> new Block(flow.path("to").asText(), flow.path("bytes").asLong()))
        .filter(block -> block.bytes() > 0)
        .toList();
  }

  /** The first of these hosts to which a block comes; the first of all if there is none. */
  static String target(List<String> hosts, List<Block> blocks) {
    return hosts.stream()
        .filter(host -> !coming(host, blocks).isEmpty())
        .findFirst()
        .orElse(hosts.get(0));
  }

  private static List<Block> coming(String host, List<Block> blocks) {
    return blocks.stream().filter(block -> block.host().equals(host)).toList();
  }

  /** Returns once nothing is killed or started any more, also if this thread is interrupted. */
  @Override
  public void close() {
    timer.shutdownNow();
    if (!Uninterruptibles.awaitTerminationUninterruptibly(timer, LONGEST_END)) {
      throw new TestbedException(
          "the %s may still be killed or started".formatted(daemon.daemonName()));
    }
  }
}
