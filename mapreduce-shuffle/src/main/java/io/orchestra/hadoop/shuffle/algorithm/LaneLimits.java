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
 * @param memory what outputs hold from their first byte on until they have been merged
 */
public record LaneLimits(
    int fetchers,
    int lanes,
    int outputs,
    long shortest,
    long longest,
    long undivided,
    Memory memory) {
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
  public static LaneLimits of(int fetchers, long undivided, Memory memory) {
    return new LaneLimits(
        fetchers, Math.max(ENOUGH, fetchers), OUTPUTS, SHORTEST, LONGEST, undivided, memory);
  }

  /**
   * Lanes in proportion to the bytes that a reducer gets: F_i. So each lane stands for the same
   * number of bytes with all reducers, and a sender that is shared out by lanes is shared out by
   * bytes. The same number for every reducer would favour the small ones.
   *
   * @param fewer whether there may be fewer than with stock: all sizes are known, and no sender has
   *     failed
   */
  int lanes(Demand demand, boolean fewer) {
    double mean = demand.mean();
    if (mean == 0) {
      return fetchers;
    }
    long most = Math.max(lanes, Math.min(MOST, (long) LARGEST * lanes));
    long proportional = Math.min(most, Math.round(lanes * (demand.own() / mean)));
    return (int) Math.max(fewer ? LEAST : Math.max(LEAST, fetchers), proportional);
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
   * The memory of a reducer for map outputs.
   *
   * @param all bytes
   * @param merged so many bytes that have come start a merge, which gives the memory back
   * @param largest an output of more bytes, decompressed, holds none
   */
  public record Memory(long all, long merged, long largest) {
    /** No output holds any. */
    public static final Memory NONE = new Memory(0, 0, 0);

    public Memory {
      checkArgument(largest >= 0 && largest <= all, "%s bytes of %s for one output", largest, all);
    }

    /**
     * Bytes that outputs of one sender hold at most while they are under way: half of all, but the
     * largest at any rate. Ranges of a sender that falls silent are soon given up.
     */
    long mostHeld() {
      return Math.max(largest, all / 2);
    }

    /**
     * The same before another one is fetched whole, which nobody gives up for minutes: no more than
     * others can do without to start a merge, so that they go on.
     */
    long mostHeldWhole() {
      return Math.max(largest, Math.min(all / 2, all - merged));
    }

    /** Bytes that an output holds. */
    long held(long rawLength) {
      return rawLength <= largest ? rawLength : 0;
    }
  }

  /** How long a request is where no sender has more than others. */
  long even() {
    return Math.min(longest, SHORT);
  }

  /**
   * How long the next request is. Each is half of what a lane has before it on average: so requests
   * become shorter towards the end, and lanes end together.
   *
   * @param waiting bytes that no lane fetches yet
   * @param lanesNow lanes that share them
   * @param due lanes that are to fetch from this sender: if few of its outputs have room in memory
   *     at once, each is shared by several
   * @return bytes
   */
  long request(long waiting, int lanesNow, double due) {
    long most = longest;
    if (memory.largest() > 0 && due > 1) {
      most = Math.min(longest, (long) (memory.mostHeld() / (2 * due)));
    }
    return Math.max(shortest, Math.min(most, waiting / (2L * lanesNow)));
  }
}
