package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.FlexFetchScheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long the scheduler takes for the heartbeat of a node of a {@link FullCluster}, by itself and
 * with the shadow that foretells its launches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 5, time = 5)
@Fork(1)
public class NodeUpdateBenchmark {
  @Param({"false", "true"})
  public boolean shadow;

  private FullCluster cluster;
  private List<String> hosts;
  private int next;

  @Setup(Level.Trial)
  public void fill() {
    cluster =
        new FullCluster(shadow ? FlexFetchScheduler.class : FairScheduler.class, 1, 500, 16, -1);
    hosts = cluster.hosts();
    cluster.scheduler().start();
    if (cluster.scheduler() instanceof FlexFetchScheduler ours) {
      Jobs jobs = ours.coordinator().orElseThrow().speculation().jobs();
      cluster.views(System.nanoTime()).forEach(jobs::put);
    }
  }

  @TearDown(Level.Trial)
  public void stop() {
    if (cluster.scheduler() instanceof FlexFetchScheduler ours) {
      Speculation speculation = ours.coordinator().orElseThrow().speculation();
      System.out.printf(
          "%d predictions, %d failures; the last one: %.1f ms for the copy, %.1f ms for the run, %d"
              + " launches%n",
          speculation.runs(),
          speculation.failures(),
          speculation.foresight().copyNanos() / 1e6,
          speculation.foresight().runNanos() / 1e6,
          speculation.foresight().predictions().size());
    }
    cluster.close();
  }

  @Benchmark
  public void nodeUpdate() {
    next = (next + 1) % hosts.size();
    cluster.real().heartbeat(hosts.get(next), List.of());
  }
}
