package io.orchestra.hadoop.shuffle.algorithm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongToDoubleFunction;

/** How all receivers of a simulated shuffle fetch. */
@FunctionalInterface
interface FetchPolicy {
  /** Hadoop's default of {@code mapreduce.reduce.shuffle.parallelcopies}. */
  int PARALLEL_COPIES = 5;

  /** What the plugin fetches whole with a heap of 1 GB: a quarter of 70 percent of it. */
  long UNDIVIDED = 180 << 20;

  /** Hadoop merges at two thirds by default, and at half here. */
  LaneLimits.Memory MEMORY = new LaneLimits.Memory(4 * UNDIVIDED, 2 * UNDIVIDED, UNDIVIDED);

  Fetcher fetcher(int receivers, Random random);

  /** One flow from each sender at once, all alike. */
  static FetchPolicy allAtOnce() {
    return (receivers, random) -> new AllAtOnce(bytes -> 1);
  }

  /** The paper's WSS (section 6.3): one flow from each sender at once, weighted by its bytes. */
  static FetchPolicy paper() {
    return (receivers, random) -> new AllAtOnce(bytes -> bytes);
  }

  /** Hadoop's fetchers, as many as said for each receiver. */
  static FetchPolicy stock(int fetchers) {
    return (receivers, random) -> new Stock(fetchers, random);
  }

  /** The lanes as the plugin has them. */
  static FetchPolicy lanes() {
    return lanes(Gate.HOT_SENDER);
  }

  static FetchPolicy lanes(Gate gate) {
    return lanes(LaneLimits.of(PARALLEL_COPIES, UNDIVIDED, MEMORY), gate, sender -> true);
  }

  /** The lanes as the plugin has them where outputs are divided that are longer than said. */
  static FetchPolicy lanes(long undivided) {
    LaneLimits limits = LaneLimits.of(PARALLEL_COPIES, undivided, MEMORY);
    return lanes(limits, Gate.HOT_SENDER, sender -> true);
  }

  /**
   * @param measured which senders tell sizes
   */
  static FetchPolicy lanes(LaneLimits limits, Gate gate, IntPredicate measured) {
    return (receivers, random) ->
        new ByLanes(new Lanes<>(receivers, limits, gate, random), measured);
  }

  /** Begins with everything that is ready. */
  final class AllAtOnce implements Fetcher {
    private final LongToDoubleFunction weight;
    private final Map<Integer, Long> ready = new LinkedHashMap<>();

    AllAtOnce(LongToDoubleFunction weight) {
      this.weight = weight;
    }

    @Override
    public void offer(int sender, int output, Share size) {
      if (size.own() > 0) {
        ready.merge(sender, size.own(), Long::sum);
      }
    }

    @Override
    public Optional<Fetch> next() {
      Optional<Integer> sender = ready.keySet().stream().findFirst();
      return sender.map(
          name -> {
            long bytes = ready.remove(name);
            return new Fetch(name, bytes, weight.applyAsDouble(bytes), () -> {});
          });
    }
  }

  /** One fetcher a sender, up to 20 outputs at once, senders at random (ShuffleSchedulerImpl). */
  final class Stock implements Fetcher {
    private static final int OUTPUTS = 20;

    private final int fetchers;
    private final Random random;
    private final Map<Integer, Deque<Long>> ready = new LinkedHashMap<>();
    private final Set<Integer> busy = new HashSet<>();

    Stock(int fetchers, Random random) {
      this.fetchers = fetchers;
      this.random = random;
    }

    @Override
    public void offer(int sender, int output, Share size) {
      ready.computeIfAbsent(sender, name -> new ArrayDeque<>()).add(size.own());
    }

    @Override
    public Optional<Fetch> next() {
      List<Integer> pending =
          ready.keySet().stream()
              .filter(sender -> !busy.contains(sender) && !ready.get(sender).isEmpty())
              .toList();
      if (busy.size() == fetchers || pending.isEmpty()) {
        return Optional.empty();
      }
      Integer sender = pending.get(random.nextInt(pending.size()));
      Deque<Long> outputs = ready.get(sender);
      long bytes = 0;
      for (int count = 0; count < OUTPUTS && !outputs.isEmpty(); count++) {
        bytes += outputs.remove();
      }
      busy.add(sender);
      return Optional.of(new Fetch(sender, bytes, 1, () -> busy.remove(sender)));
    }
  }

  /** {@link Lanes}, the real ones. */
  final class ByLanes implements Fetcher {
    private final Lanes<Integer, Integer> lanes;
    private final IntPredicate measured;
    private final Map<Integer, Long> sizes = new HashMap<>();
    private final Map<Integer, Long> missing = new HashMap<>();

    ByLanes(Lanes<Integer, Integer> lanes, IntPredicate measured) {
      this.lanes = lanes;
      this.measured = measured;
    }

    @Override
    public void offer(int sender, int output, Share size) {
      sizes.put(output, size.own());
      missing.put(output, size.own());
      lanes.add(sender, output);
      if (measured.test(sender)) {
        lanes.measure(output, size, size.own());
      }
    }

    @Override
    public Optional<Fetch> next() {
      return lanes
          .next(true)
          .map(chunk -> new Fetch(chunk.host(), bytes(chunk), 1, () -> free(chunk)));
    }

    private long bytes(Chunk<Integer, Integer> chunk) {
      return chunk.parts().stream().mapToLong(this::bytes).sum();
    }

    private long bytes(Part<Integer> part) {
      return part.isMeasured() ? part.length() : sizes.get(part.output());
    }

    private void free(Chunk<Integer, Integer> chunk) {
      for (Part<Integer> part : chunk.parts()) {
        if (missing.merge(part.output(), -bytes(part), Long::sum) == 0) {
          lanes.arrived(part.output());
        }
      }
      lanes.free(chunk, List.of());
    }
  }
}
