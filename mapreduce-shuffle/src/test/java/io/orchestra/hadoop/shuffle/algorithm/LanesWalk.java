package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A reducer to which everything happens in any order: outputs and sizes become known, fetches end
 * or fail, outputs become obsolete, senders are penalised. In the end all that is not obsolete must
 * have been fetched, each byte once.
 */
final class LanesWalk {
  private static final int STEPS = 300;
  private static final int SENDERS = 6;
  private static final int LONGEST_OUTPUT = 60;

  private final Random random;
  private final LaneLimits limits;
  private final Lanes<Integer, Integer> lanes;
  private final Map<Integer, Output> outputs = new LinkedHashMap<>();
  private final List<Chunk<Integer, Integer>> inUse = new ArrayList<>();
  private final Set<Integer> penalised = new HashSet<>();

  /** Outputs of which ranges are under way, and the memory they hold. */
  private final Map<Integer, Integer> begun = new HashMap<>();

  /** What whole outputs hold. */
  private final Map<Chunk<Integer, Integer>, Integer> whole = new IdentityHashMap<>();

  private final Set<Integer> measured = new HashSet<>();

  /**
   * @param fetched which of its bytes; one more stands for its end, so that an empty output can be
   *     fetched, too
   */
  private record Output(int sender, int bytes, BitSet fetched) {
    void fetch(Part<Integer> part) {
      int from = (int) part.offset();
      int to = part.whole() ? bytes + 1 : (int) (part.offset() + part.length());
      assertThat(fetched.get(from, to).isEmpty()).as("bytes that were not fetched before").isTrue();
      fetched.set(from, to == bytes ? bytes + 1 : to);
    }

    boolean complete() {
      return fetched.cardinality() == bytes + 1;
    }
  }

  LanesWalk(long seed) {
    random = new Random(seed);
    limits =
        new LaneLimits(
            3,
            5,
            4,
            4,
            20,
            random.nextBoolean() ? 0 : LaneLimits.ALL,
            new LaneLimits.Memory(100, random.nextInt(101), random.nextInt(LONGEST_OUTPUT)));
    Gate gate = Gate.values()[random.nextInt(Gate.values().length)];
    lanes = new Lanes<>(3, limits, gate, random);
  }

  void run() {
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(8)) {
        case 0 -> add();
        case 1 -> measure();
        case 2, 3, 4 -> next(random.nextInt(4) > 0);
        case 5, 6 -> free(random.nextInt(4) == 0);
        default -> disturb();
      }
    }
    penalised.forEach(lanes::pardon);
    penalised.clear();
    do {
      while (!inUse.isEmpty()) {
        free(false);
      }
      next(true);
    } while (!inUse.isEmpty());
    assertThat(outputs.values()).allMatch(Output::complete);
  }

  private void add() {
    int sender = random.nextInt(SENDERS);
    int output = random.nextInt(100);
    if (outputs.containsKey(output)) {
      lanes.add(outputs.get(output).sender(), output);
    } else if (inUse.stream()
        .flatMap(chunk -> chunk.parts().stream())
        .noneMatch(part -> part.output() == output)) {
      outputs.put(output, new Output(sender, random.nextInt(LONGEST_OUTPUT), new BitSet()));
      lanes.add(sender, output);
    }
  }

  private void measure() {
    int name = random.nextInt(100);
    Output output = outputs.get(name);
    long bytes = output == null ? 7 : output.bytes();
    if (output != null) {
      measured.add(name);
    }
    lanes.measure(name, new Share(bytes, bytes * (1 + random.nextInt(4))), bytes);
  }

  private void next(boolean room) {
    Optional<Chunk<Integer, Integer>> next = lanes.next(room);
    next.ifPresent(
        chunk -> {
          inUse.add(chunk);
          assertThat(inUse.size()).isLessThanOrEqualTo(lanes.limit());
          assertThat(penalised).doesNotContain(chunk.host());
          assertThat(chunk.parts()).isNotEmpty().hasSizeLessThanOrEqualTo(limits.outputs());
          assertThat(chunk.parts())
              .allMatch(part -> outputs.get(part.output()).sender() == chunk.host());
          hold(chunk);
          long most =
              whole.getOrDefault(chunk, 0) > 0
                  ? limits.memory().mostHeldWhole()
                  : limits.memory().mostHeld();
          assertThat(held(chunk.host())).isLessThanOrEqualTo((int) most);
        });
    assertThat(lanes.inUse()).isEqualTo(inUse.size());
  }

  private void hold(Chunk<Integer, Integer> chunk) {
    for (Part<Integer> part : chunk.parts()) {
      int memory =
          measured.contains(part.output())
              ? (int) limits.memory().held(outputs.get(part.output()).bytes())
              : 0;
      if (part.whole()) {
        whole.merge(chunk, memory, Math::max);
      } else {
        begun.put(part.output(), memory);
      }
    }
  }

  private int held(int sender) {
    int ranges =
        begun.entrySet().stream()
            .filter(entry -> outputs.get(entry.getKey()).sender() == sender)
            .mapToInt(Map.Entry::getValue)
            .sum();
    return ranges
        + inUse.stream()
            .filter(chunk -> chunk.host() == sender)
            .mapToInt(chunk -> whole.getOrDefault(chunk, 0))
            .sum();
  }

  /** Ends a request; perhaps some parts of it have not come. */
  private void free(boolean failed) {
    if (inUse.isEmpty()) {
      return;
    }
    Chunk<Integer, Integer> chunk = inUse.remove(random.nextInt(inUse.size()));
    int arrived = failed ? random.nextInt(chunk.parts().size()) : chunk.parts().size();
    for (Part<Integer> part : chunk.parts().subList(0, arrived)) {
      if (outputs.containsKey(part.output())) {
        outputs.get(part.output()).fetch(part);
        if (outputs.get(part.output()).complete()) {
          arrived(part.output());
        }
      }
    }
    lanes.free(chunk, chunk.parts().subList(arrived, chunk.parts().size()));
  }

  private void arrived(int output) {
    begun.remove(output);
    lanes.arrived(output);
  }

  private void disturb() {
    int sender = random.nextInt(SENDERS);
    switch (random.nextInt(9)) {
      case 0 -> {
        int output = random.nextInt(100);
        outputs.remove(output);
        begun.remove(output);
        measured.remove(output);
        lanes.obsolete(output);
      }
      case 1 -> {
        penalised.add(sender);
        lanes.penalise(sender);
      }
      case 2 -> {
        if (random.nextBoolean()) {
          lanes.suspect(sender);
        } else {
          lanes.accuse(sender);
        }
      }
      case 3 -> arrived(random.nextInt(100));
      case 4 -> lanes.undivide(sender);
      case 5 -> lanes.housed(random.nextInt(100));
      case 6 -> {
        int output = random.nextInt(100);
        begun.remove(output);
        lanes.settled(output);
      }
      default -> {
        penalised.remove(sender);
        lanes.pardon(sender);
      }
    }
  }
}
