package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * How long it takes to foretell ten seconds of a {@link FullCluster}, some 4000 launches: snapshot
 * under the scheduler's lock, heartbeats, scheduling with its delays, and matching.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class PredictionBenchmark {
  /** Queues, applications in each, and maps of each that wait for the cluster's slots. */
  @Param({"10x10x80", "1x100x80", "1x500x16", "1x100x1000"})
  public String layout;

  /** Threshold of delay scheduling; negative for none. */
  @Param({"-1", "0.1"})
  public double delay;

  /** What is copied before the scheduler is locked; used up by each snapshot. */
  @State(Scope.Benchmark)
  public static class Ahead {
    private AsksAhead asks;

    @Setup(Level.Invocation)
    public void copy(PredictionBenchmark benchmark) {
      asks = benchmark.cluster.asksAhead();
    }
  }

  private FullCluster cluster;

  @Setup(Level.Trial)
  public void fill() {
    List<Integer> numbers = Splitter.on('x').splitToStream(layout).map(Integer::valueOf).toList();
    cluster = new FullCluster(numbers.get(0), numbers.get(1), numbers.get(2), delay);
    System.out.printf("%d launches foretold%n", snapshotAndPrediction().size());
  }

  @TearDown(Level.Trial)
  public void stop() {
    cluster.close();
  }

  /** What the scheduler's lock is held for. */
  @Benchmark
  public Object snapshot(Ahead ahead) {
    return cluster.snapshot(ahead.asks);
  }

  @Benchmark
  public List<Prediction> snapshotAndPrediction() {
    return FullCluster.foretold(cluster.snapshot(cluster.asksAhead()));
  }
}
