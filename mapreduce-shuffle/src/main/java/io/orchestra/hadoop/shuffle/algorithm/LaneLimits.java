package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How much a reducer fetches at once.
 *
 * @param fetchers lanes of a reducer that knows no sizes: as stock
 * @param lanes of a reducer of average size: F
 * @param outputs the most map outputs in one request
 * @param shortest bytes in one request, if the sender has so many
 * @param longest bytes in one request, unless a single output that cannot be divided is longer
 * @param undivided an output of up to so many bytes, decompressed, is fetched whole, a longer one
 *     in ranges if that is of use
 * @param inMemory an output of up to so many bytes, decompressed, holds memory from its first byte
 *     on until it has been merged, a longer one none
 */
public record LaneLimits(
    int fetchers,
    int lanes,
    int outputs,
    long shortest,
    long longest,
    long undivided,
    long inMemory) {
  /** For {@link #undivided}: no output is ever divided. */
  public static final long ALL = Long.MAX_VALUE;

  /** An output of up to so many bytes is not worth dividing. */
  public static final long SHORT = 16 << 20;

  /** With fewer, lanes cannot follow the weights: half a lane is none or one. */
  private static final int ENOUGH = 10;

  /** The most lanes a large reducer has, in those of an average one. */
  private static final int LARGEST = 4;

  /** Nobody has more, unless the job's own setting says so. */
  private static final int MOST = 40;

  /** With one, a host that does not answer would hold up all others. */
  private static final int LEAST = 2;

  /** Connections that certainly fill a sender's link, of all reducers together. */
  private static final int FILLING = 64;

  /** As in Hadoop's Fetcher. */
  private static final int OUTPUTS = 20;

  /** Unless a job sets it otherwise, a quarter of the memory holds the largest output in memory. */
  private static final int LARGEST_IN_HALF = 2;

  private static final long SHORTEST = 4 << 20;
  private static final long LONGEST = 256 << 20;

  public LaneLimits {
    checkArgument(fetchers > 0 && lanes > 0, "%s fetchers, %s lanes", fetchers, lanes);
    checkArgument(outputs > 0, "%s outputs in a request", outputs);
    checkArgument(
        shortest > 0 && shortest <= longest, "requests of %s to %s bytes", shortest, longest);
  }

  /**
   * @param fetchers what the job allows: {@code mapreduce.reduce.shuffle.parallelcopies}
   */
  public static LaneLimits of(int fetchers, long undivided, long inMemory) {
    return new LaneLimits(
        fetchers, Math.max(ENOUGH, fetchers), OUTPUTS, SHORTEST, LONGEST, undivided, inMemory);
  }

  /**
   * Lanes in proportion to the bytes that a reducer gets: F_i. So each lane stands for the same
   * number of bytes with all reducers, and a sender that is shared out by lanes is shared out by
   * bytes. The same number for every reducer would favour the small ones.
   *
   * @param complete whether all sizes are known; otherwise there are as many as with stock at least
   */
  int lanes(Demand demand, boolean complete) {
    double mean = demand.mean();
    if (mean == 0) {
      return fetchers;
    }
    long most = Math.max(lanes, Math.min(MOST, (long) LARGEST * lanes));
    long proportional = Math.min(most, Math.round(lanes * (demand.own() / mean)));
    return (int) Math.max(complete ? LEAST : Math.max(LEAST, fetchers), proportional);
  }

  /**
   * The most lanes of a reducer to one sender. Where many reducers fetch from it they fill its link
   * with few each, and more would be a burden to it.
   */
  int lanesToOne(int reducers) {
    int needed = (FILLING + reducers - 1) / reducers;
    return Math.max(LEAST, Math.min(lanes, needed));
  }

  /**
   * Bytes of memory, decompressed, that outputs of one sender hold at most while they are under
   * way: half of all. If the sender falls silent the rest is left to others.
   */
  long mostHeld() {
    return LARGEST_IN_HALF * inMemory;
  }

  /**
   * How long the next request is. Each is half of what a lane has before it on average: so requests
   * become shorter towards the end, and lanes end together.
   *
   * @param waiting bytes that no lane fetches yet
   * @param lanesNow lanes that share them
   * @return bytes
   */
  long request(long waiting, int lanesNow) {
    return Math.max(shortest, Math.min(longest, waiting / (2L * lanesNow)));
  }
}
