package io.orchestra.hadoop.broadcast.algorithm;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.Optional;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Racks of 20 peers, four times between racks what it is inside; each peer was seen with 64. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(1)
public class RackInferenceBenchmark {
  private static final int RACK = 20;
  private static final int SENDERS = 64;

  @Param({"20", "100", "200", "1000"})
  public int peers;

  private final Random random = new Random(1);
  private final RackInference inference = new RackInference(random);
  private final TransferTimes<Integer> times = new TransferTimes<>();

  @Setup
  public void observe() {
    for (int to = 0; to < peers; to++) {
      int receiver = to;
      random
          .ints(0, peers)
          .distinct()
          .limit(Math.min(SENDERS, peers - 1))
          .filter(from -> from != receiver)
          .forEach(
              from ->
                  times.add(
                      from,
                      receiver,
                      (from / RACK == receiver / RACK ? 200 : 800)
                          * Math.exp(0.3 * random.nextGaussian())));
    }
  }

  @Benchmark
  public Optional<InferredRacks<Integer>> infer() {
    return inference.infer(times);
  }
}
