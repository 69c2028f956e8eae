package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster with known racks and the times of pieces in it.
 *
 * @param racks for each host the number of its rack
 * @param crossing how many times longer a piece takes to another rack
 * @param noise standard deviation of the logarithm of each single time
 * @param missing the share of pairs of which nothing is seen
 * @param hostNoise standard deviation of the logarithms of what hosts take for sending and, apart
 *     from that, for receiving
 * @param slow how many times longer everything takes for the first host
 */
record MadeUpCluster(
    int[] racks, double crossing, double noise, double missing, double hostNoise, double slow) {
  static final double INSIDE = 200;

  /** One piece each way between any two hosts, with a crossing of 4 and a noise of 0.3. */
  static MadeUpCluster of(int... rackSizes) {
    int[] racks =
        IntStream.range(0, rackSizes.length)
            .flatMap(rack -> IntStream.generate(() -> rack).limit(rackSizes[rack]))
            .toArray();
    return new MadeUpCluster(racks, 4, 0.3, 0, 0, 1);
  }

  MadeUpCluster withCrossing(double factor) {
    return new MadeUpCluster(racks, factor, noise, missing, hostNoise, slow);
  }

  MadeUpCluster withNoise(double deviation) {
    return new MadeUpCluster(racks, crossing, deviation, missing, hostNoise, slow);
  }

  MadeUpCluster withMissing(double share) {
    return new MadeUpCluster(racks, crossing, noise, share, hostNoise, slow);
  }

  MadeUpCluster withHostNoise(double deviation) {
    return new MadeUpCluster(racks, crossing, noise, missing, deviation, slow);
  }

  MadeUpCluster withSlowHost(double factor) {
    return new MadeUpCluster(racks, crossing, noise, missing, hostNoise, factor);
  }

  /** Hosts appear in a random order. */
  TransferTimes<Integer> times(Random random) {
    double[] sending = speeds(random);
    double[] receiving = speeds(random);
    List<Integer> hosts = IntStream.range(0, racks.length).boxed().collect(Collectors.toList());
    Collections.shuffle(hosts, random);
    TransferTimes<Integer> times = new TransferTimes<>();
    for (int from : hosts) {
      for (int to : hosts) {
        if (from < to && random.nextDouble() >= missing) {
          times.add(from, to, time(from, to, random) * sending[from] * receiving[to]);
          times.add(to, from, time(to, from, random) * sending[to] * receiving[from]);
        }
      }
    }
    return times;
  }

  private double[] speeds(Random random) {
    return Arrays.stream(racks).mapToDouble(host -> logNormal(hostNoise, random)).toArray();
  }

  private double time(int from, int to, Random random) {
    double base = racks[from] == racks[to] ? INSIDE : INSIDE * crossing;
    return base * (Math.min(from, to) == 0 ? slow : 1) * logNormal(noise, random);
  }

  private static double logNormal(double deviation, Random random) {
    return Math.exp(deviation * random.nextGaussian());
  }

  /** Agreement of an answer with the truth; a host without a rack counts as one of its own. */
  double agreement(Optional<InferredRacks<Integer>> inferred) {
    int[] found =
        IntStream.range(0, racks.length)
            .map(host -> inferred.map(racks -> racks.rackOf().get(host)).orElse(-1 - host))
            .toArray();
    return AdjustedRandIndex.of(racks, found);
  }
}
