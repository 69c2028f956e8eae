package io.orchestra.hadoop.shuffle.algorithm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Runs a {@link ShuffleCase} under a {@link FetchPolicy}, from event to event. */
final class ShuffleSimulation {
  private final ShuffleCase shuffle;
  private final FluidNetwork network;
  private final DoubleSupplier luck;
  private final List<Fetcher> fetchers = new ArrayList<>();

  /** Numbers of the outputs that are not ready yet, in the order of their times. */
  private final Deque<Integer> awaited;

  /** Who may have something to begin. */
  private final boolean[] eager;

  private final Map<FluidNetwork.Flow, Begun> flows = new LinkedHashMap<>();
  private final int[] underWay;
  private final int[] mostAtOnce;
  private final long[] received;
  private double now;
  private double last;

  private record Begun(int receiver, Fetcher.Fetch fetch) {}

  /**
   * What became of a shuffle.
   *
   * @param time when the last byte was there
   * @param received bytes, by receiver
   * @param mostFlows the most at once, by receiver
   */
  record Outcome(double time, List<Long> received, List<Integer> mostFlows) {}

  private ShuffleSimulation(ShuffleCase shuffle, FetchPolicy policy, double unevenness, long seed) {
    this.shuffle = shuffle;
    Random lucky = new Random(~seed);
    luck = () -> Math.exp(unevenness * lucky.nextGaussian());
    network = new FluidNetwork(shuffle.senders(), shuffle.receivers());
    Random random = new Random(seed);
    for (int receiver = 0; receiver < shuffle.receivers(); receiver++) {
      fetchers.add(policy.fetcher(shuffle.receivers(), new Random(random.nextLong())));
    }
    awaited =
        new ArrayDeque<>(
            IntStream.range(0, shuffle.outputs().size())
                .boxed()
                .sorted(Comparator.comparingDouble(output -> shuffle.outputs().get(output).ready()))
                .toList());
    eager = new boolean[shuffle.receivers()];
    underWay = new int[shuffle.receivers()];
    mostAtOnce = new int[shuffle.receivers()];
    received = new long[shuffle.receivers()];
  }

  static Outcome run(ShuffleCase shuffle, FetchPolicy policy, long seed) {
    return run(shuffle, policy, 0, seed);
  }

  /**
   * @param unevenness of flows that share a link, as with TCP in the short run: the standard
   *     deviation of the logarithms of their weights
   */
  static Outcome run(ShuffleCase shuffle, FetchPolicy policy, double unevenness, long seed) {
    ShuffleSimulation simulation = new ShuffleSimulation(shuffle, policy, unevenness, seed);
    simulation.run();
    return new Outcome(
        simulation.last,
        Arrays.stream(simulation.received).boxed().toList(),
        Arrays.stream(simulation.mostAtOnce).boxed().toList());
  }

  /**
   * Times as multiples of the bound, on average.
   *
   * @param shuffles by seed
   */
  static double slowdown(LongFunction<ShuffleCase> shuffles, FetchPolicy policy, int seeds) {
    return LongStream.range(0, seeds)
        .mapToDouble(
            seed -> {
              ShuffleCase shuffle = shuffles.apply(seed);
              return run(shuffle, policy, seed).time() / shuffle.bound();
            })
        .average()
        .orElseThrow();
  }

  private void run() {
    while (true) {
      offer();
      begin();
      OptionalDouble step = untilNextEvent();
      if (step.isEmpty()) {
        return;
      }
      now += step.getAsDouble();
      for (FluidNetwork.Flow flow : network.advance(step.getAsDouble())) {
        Begun begun = flows.remove(flow);
        underWay[begun.receiver()]--;
        end(begun.receiver(), begun.fetch());
      }
    }
  }

  private OptionalDouble untilNextEvent() {
    OptionalDouble end = network.untilNextEnd();
    if (awaited.isEmpty()) {
      return end;
    }
    double ready = Math.max(0, shuffle.outputs().get(awaited.element()).ready() - now);
    return OptionalDouble.of(Math.min(ready, end.orElse(ready)));
  }

  private void offer() {
    while (!awaited.isEmpty() && shuffle.outputs().get(awaited.element()).ready() <= now + 1e-9) {
      int number = awaited.remove();
      ShuffleCase.Output output = shuffle.outputs().get(number);
      for (int receiver = 0; receiver < fetchers.size(); receiver++) {
        Share size = new Share(output.bytes().get(receiver), output.all());
        fetchers.get(receiver).offer(output.sender(), number, size);
        eager[receiver] = true;
      }
    }
  }

  private void begin() {
    for (int receiver = 0; receiver < fetchers.size(); receiver++) {
      while (eager[receiver]) {
        Optional<Fetcher.Fetch> fetch = fetchers.get(receiver).next();
        eager[receiver] = fetch.isPresent();
        int to = receiver;
        fetch.ifPresent(begun -> begin(to, begun));
      }
    }
  }

  private void begin(int receiver, Fetcher.Fetch fetch) {
    if (fetch.bytes() == 0) {
      end(receiver, fetch);
      return;
    }
    double work = (double) fetch.bytes() / shuffle.unit();
    flows.put(
        network.start(fetch.sender(), receiver, work, fetch.weight() * luck.getAsDouble()),
        new Begun(receiver, fetch));
    mostAtOnce[receiver] = Math.max(mostAtOnce[receiver], ++underWay[receiver]);
  }

  private void end(int receiver, Fetcher.Fetch fetch) {
    fetch.ended().run();
    received[receiver] += fetch.bytes();
    eager[receiver] = true;
    last = now;
  }
}
