package io.orchestra.hadoop.broadcast.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * CornetClustering: tells from the times of pieces which peers share a rack (Orchestra, section
 * 5.3).
 *
 * <p>Gaps in the times are filled ({@link MatrixCompletion}), peers become points whose distances
 * are in the order of the times ({@link NonMetricScaling}), and the points are explained by as many
 * Gaussians as pay for themselves ({@link SphericalMixture}). The Gaussians propose racks; the
 * times that were seen then move single peers ({@link RackMoves}) and take away boundaries that are
 * not clear ({@link RackBoundaries}).
 *
 * <p>The answer is unknown rather than guessed if fewer than half of the peers are {@link
 * WellObserved}: each with times with one peer more than there are dimensions, since fewer do not
 * fix a point, and all linked through such times.
 *
 * <p>At most {@code mostPeers} take part, drawn by lot, as the cost grows with the cube of their
 * number; the others, and those too little observed, join the {@link NearestRack}. The same times,
 * in the same order, and the same seed give the same answer.
 */
public final class RackInference {
  private static final int MOST_RACKS = 40;

  private final int dimensions;
  private final OptionalDouble spread;
  private final int mostPeers;
  private final Random random;

  /**
   * In the plane, with the spread that {@link RackSpread} finds, and 200 peers at most.
   *
   * @param random used up by each inference
   */
  public RackInference(Random random) {
    this(2, OptionalDouble.empty(), 200, random);
  }

  /**
   * @param dimensions of the space peers are placed in: more tell more racks apart, and need more
   *     times
   * @param spread milliseconds: the standard deviation of a rack's peers; empty to find it
   * @param mostPeers how many to compare with each other
   * @throws IllegalArgumentException unless all are positive, and the peers enough to place any
   */
  public RackInference(int dimensions, OptionalDouble spread, int mostPeers, Random random) {
    checkArgument(
        dimensions > 0 && spread.orElse(1) > 0 && mostPeers > dimensions + 1,
        "dimensions %s and spread %s must be positive, most peers %s two more than dimensions",
        dimensions,
        spread,
        mostPeers);
    this.dimensions = dimensions;
    this.spread = spread;
    this.mostPeers = mostPeers;
    this.random = random;
  }

  /**
   * @return empty if too little was observed to tell
   */
  public <P> Optional<InferredRacks<P>> infer(TransferTimes<P> times) {
    double[][] observed = times.symmetric();
    int[] all = IntStream.range(0, observed.length).toArray();
    int[] placed = enough(observed, all);
    if (placed.length > mostPeers) {
      placed = enough(observed, sample(placed));
    }
    return placed.length == 0
        ? Optional.empty()
        : Optional.of(cluster(times.peers(), observed, placed));
  }

  private int[] enough(double[][] observed, int[] candidates) {
    int[] placed = WellObserved.among(observed, candidates, dimensions + 1);
    return 2 * placed.length < candidates.length ? new int[0] : placed;
  }

  private int[] sample(int[] peers) {
    return random
        .ints(0, peers.length)
        .distinct()
        .limit(mostPeers)
        .map(i -> peers[i])
        .sorted()
        .toArray();
  }

  private <P> InferredRacks<P> cluster(List<P> peers, double[][] observed, int[] placed) {
    double[][] times =
        Arrays.stream(placed)
            .mapToObj(i -> Arrays.stream(placed).mapToDouble(j -> observed[i][j]).toArray())
            .toArray(double[][]::new);
    double sigma = spread.orElseGet(() -> RackSpread.of(times, dimensions));
    double[][] points =
        NonMetricScaling.scale(MatrixCompletion.complete(times, random), dimensions, random)
            .points();
    List<SphericalMixture> mixtures =
        SphericalMixture.fitAll(points, sigma, Math.min(MOST_RACKS, placed.length), random);
    int[] proposed =
        mixtures.stream()
            .min(Comparator.comparingDouble(SphericalMixture::score))
            .orElseThrow()
            .assign(points);
    int[] settled = new NearestRack(times, new RackMoves(times, proposed).settled()).adopted();
    int[] found = new RackBoundaries(times, settled).clear();
    int[] racks = new int[peers.size()];
    Arrays.fill(racks, NearestRack.NONE);
    IntStream.range(0, placed.length).forEach(i -> racks[placed[i]] = found[i]);
    Map<P, Integer> numbered = numbered(peers, new NearestRack(observed, racks).adopted());
    return new InferredRacks<>(
        numbered,
        (int) numbered.values().stream().distinct().count(),
        mixtures.stream().map(SphericalMixture::score).toList(),
        sigma);
  }

  /** Racks that have peers get numbers in the order of their first peers. */
  private static <P> Map<P, Integer> numbered(List<P> peers, int[] racks) {
    Map<Integer, Integer> numbers = new HashMap<>();
    Map<P, Integer> numbered = new LinkedHashMap<>();
    for (int i = 0; i < racks.length; i++) {
      if (racks[i] != NearestRack.NONE) {
        int next = numbers.size();
        numbered.put(peers.get(i), numbers.computeIfAbsent(racks[i], rack -> next));
      }
    }
    return numbered;
  }
}
