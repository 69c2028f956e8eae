package io.orchestra.hadoop.shuffle.algorithm;

import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A shuffle to be simulated.
 *
 * @param senders how many
 * @param receivers how many
 * @param unit bytes that a link carries in one unit of time
 * @param outputs all map outputs
 */
record ShuffleCase(int senders, int receivers, long unit, List<Output> outputs) {

  /**
   * One map output.
   *
   * @param ready when it can be fetched
   * @param bytes by receiver
   */
  record Output(int sender, double ready, ImmutableLongArray bytes) {
    long all() {
      return bytes.stream().sum();
    }
  }

  /** The paper's figure 8: two receivers have a sender in common, with as much as all others. */
  static ShuffleCase figure8() {
    return figure8(8);
  }

  /**
   * @param outputs of each sender
   */
  static ShuffleCase figure8(int outputs) {
    return shared(2, 2, outputs, outputs, 256 << 20);
  }

  /** The variant of figure 8 in section 6.3: 100 senders for each receiver, and one for both. */
  static ShuffleCase hundredSenders() {
    return shared(100, 100, 1, 100, 16 << 20);
  }

  /** Two receivers with senders of their own, one unit on each, and one sender in common. */
  private static ShuffleCase shared(
      int senders, int units, int outputs, int sharedOutputs, long unit) {
    Builder shuffle = new Builder(2 * senders + 1, 2, unit);
    for (int receiver = 0; receiver < 2; receiver++) {
      for (int sender = 0; sender < senders; sender++) {
        shuffle.pair(receiver, receiver * senders + sender, outputs, 1);
      }
      shuffle.pair(receiver, 2 * senders, sharedOutputs, units);
    }
    return shuffle.build();
  }

  /** Section 6.2: one gigabyte for each receiver, spread over 30 senders; time in seconds. */
  static ShuffleCase figure7(int receivers) {
    return balanced(30, receivers, 1, 8, 125_000_000);
  }

  /**
   * Every sender has the same for every receiver.
   *
   * @param units for each receiver in all
   */
  static ShuffleCase balanced(int senders, int receivers, int outputs, double units, long unit) {
    Builder shuffle = new Builder(senders, receivers, unit);
    shuffle.everyPair((receiver, sender) -> outputs, (receiver, sender) -> units / senders);
    return shuffle.build();
  }

  /**
   * Every sender has one unit for every receiver; hot ones have more for a fifth of the receivers,
   * at least two: together as much again as a receiver gets from all others.
   */
  static ShuffleCase hotSenders(int senders, int receivers, int hot, long seed) {
    return hotSenders(senders, receivers, hot, 8, seed);
  }

  /**
   * @param outputs of each sender
   */
  static ShuffleCase hotSenders(int senders, int receivers, int hot, int outputs, long seed) {
    Random random = new Random(seed);
    int favoured = Math.max(2, receivers / 5);
    double more = (double) senders / favoured;
    Builder shuffle = new Builder(senders, receivers, 64 << 20);
    shuffle.everyPair((receiver, sender) -> outputs, (receiver, sender) -> 1);
    List<Integer> all = new ArrayList<>(IntStream.range(0, receivers).boxed().toList());
    for (int sender = 0; sender < hot; sender++) {
      Collections.shuffle(all, random);
      for (int receiver : all.subList(0, favoured)) {
        shuffle.pair(receiver, sender, outputs, 2 + more);
      }
    }
    return shuffle.build();
  }

  /** What a sender has for a receiver has a lognormal distribution with median 1. */
  static ShuffleCase lognormal(int senders, int receivers, double sigma, long seed) {
    Random random = new Random(seed);
    Builder shuffle = new Builder(senders, receivers, 64 << 20);
    shuffle.everyPair(
        (receiver, sender) -> 4, (receiver, sender) -> Math.exp(sigma * random.nextGaussian()));
    return shuffle.build();
  }

  /** Senders and receivers are skewed, each by Zipf's law, independently of each other. */
  static ShuffleCase zipf(int senders, int receivers, double exponent) {
    double[] ofSender = zipfWeights(senders, exponent);
    double[] ofReceiver = zipfWeights(receivers, exponent);
    Builder shuffle = new Builder(senders, receivers, 16 << 20);
    shuffle.everyPair(
        (receiver, sender) -> 4, (receiver, sender) -> 4 * ofReceiver[receiver] * ofSender[sender]);
    return shuffle.build();
  }

  /** Weights with mean 1. */
  private static double[] zipfWeights(int count, double exponent) {
    double[] weights =
        IntStream.rangeClosed(1, count).mapToDouble(rank -> Math.pow(rank, -exponent)).toArray();
    double mean = Arrays.stream(weights).average().orElseThrow();
    return Arrays.stream(weights).map(weight -> weight / mean).toArray();
  }

  /** Anything: sizes over four orders of magnitude, nothing for every third pair but the first. */
  static ShuffleCase random(int senders, int receivers, long seed) {
    Random random = new Random(seed);
    Builder shuffle = new Builder(senders, receivers, 64 << 20);
    shuffle.everyPair(
        (receiver, sender) -> 1 + random.nextInt(30),
        (receiver, sender) ->
            receiver + sender > 0 && random.nextInt(3) == 0
                ? 0
                : Math.pow(10, 4 * random.nextDouble() - 3));
    return shuffle.build();
  }

  /** The same outputs, but every sender's become ready one after the other. */
  ShuffleCase inWaves(double interval) {
    int[] before = new int[senders];
    return new ShuffleCase(
        senders,
        receivers,
        unit,
        outputs.stream()
            .map(
                output ->
                    new Output(
                        output.sender(), interval * before[output.sender()]++, output.bytes()))
            .toList());
  }

  long bytes(int receiver) {
    return outputs.stream().mapToLong(output -> output.bytes().get(receiver)).sum();
  }

  /**
   * The least time in which the busiest link carries its bytes. No schedule is faster (section
   * 6.1).
   */
  double bound() {
    long[] sent = new long[senders];
    outputs.forEach(output -> sent[output.sender()] += output.all());
    long mostSent = Arrays.stream(sent).max().orElse(0);
    long mostReceived = IntStream.range(0, receivers).mapToLong(this::bytes).max().orElse(0);
    return (double) Math.max(mostSent, mostReceived) / unit;
  }

  /** A value for a pair. */
  @FunctionalInterface
  private interface PairFunction {
    double of(int receiver, int sender);
  }

  private static final class Builder {
    private final int receivers;
    private final long unit;

    /** By sender, by output, by receiver. */
    private final List<List<long[]>> bytes = new ArrayList<>();

    Builder(int senders, int receivers, long unit) {
      this.receivers = receivers;
      this.unit = unit;
      for (int sender = 0; sender < senders; sender++) {
        bytes.add(new ArrayList<>());
      }
    }

    /** What a sender has for a receiver, divided equally among its first outputs. */
    void pair(int receiver, int sender, int outputs, double units) {
      List<long[]> ofSender = bytes.get(sender);
      while (ofSender.size() < outputs) {
        ofSender.add(new long[receivers]);
      }
      for (int output = 0; output < outputs; output++) {
        ofSender.get(output)[receiver] = Math.round(units * unit / outputs);
      }
    }

    void everyPair(PairFunction outputs, PairFunction units) {
      for (int receiver = 0; receiver < receivers; receiver++) {
        for (int sender = 0; sender < bytes.size(); sender++) {
          pair(receiver, sender, (int) outputs.of(receiver, sender), units.of(receiver, sender));
        }
      }
    }

    ShuffleCase build() {
      List<Output> outputs = new ArrayList<>();
      for (int sender = 0; sender < bytes.size(); sender++) {
        for (long[] output : bytes.get(sender)) {
          outputs.add(new Output(sender, 0, ImmutableLongArray.copyOf(output)));
        }
      }
      return new ShuffleCase(bytes.size(), receivers, unit, List.copyOf(outputs));
    }
  }
}
