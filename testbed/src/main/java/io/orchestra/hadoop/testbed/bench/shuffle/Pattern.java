package io.orchestra.hadoop.testbed.bench.shuffle;

import com.google.common.primitives.ImmutableLongArray;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What each sender has for each reducer.
 *
 * @param name of its experiment
 * @param description in a sentence
 * @param rate of each host's link
 * @param senders for each its bytes by reducer, which are divided equally among its maps
 * @param job what makes them
 * @param settings of the job, {@code KEY=VALUE}
 */
record Pattern(
    String name,
    String description,
    Rate rate,
    List<ImmutableLongArray> senders,
    Job job,
    List<String> settings) {

  /** Who makes the bytes, and where the reducers run. */
  enum Job {
    /** Our own: maps make what they are told; reducers have hosts to themselves. */
    DEMAND(33),
    /** Hadoop's TeraSort: maps read what they send; there is a reducer on each sender. */
    TERASORT(55);

    /** What it takes beside its shuffle. */
    private final double seconds;

    Job(double seconds) {
      this.seconds = seconds;
    }
  }

  /** So that two receivers leave the processors idle for most of the time. */
  private static final Rate TWO_RECEIVERS = Rate.parse("200mbit");

  private static final Rate FIVE_RECEIVERS = Rate.parse("60mbit");

  static final String FIGURE8 = "figure8";
  static final String ON_DISK = "figure8-on-disk";
  static final String HOT_HOST = "hot-host";
  static final int SENDERS = 5;

  /** What a map makes, unless its sender would run too many. */
  private static final long MAP_BYTES = 100_000_000;

  /** So that no sender is done with when one lane is. */
  private static final int LEAST_MAPS = 2;

  /** So that a range is what does not fit into 20 MB. */
  private static final String LITTLE_MEMORY = "mapreduce.reduce.shuffle.memory.limit.percent=0.03";

  /** How much longer shuffles take than the busiest link would, if it were full. */
  private static final double OVER_BOUND = 1.2;

  private static final int RECEIVERS = 2;
  private static final int MEGABYTE = 1_000_000;
  private static final int HOT = 6;

  /** Bytes of a row of TeraSort's input, and as a map writes it. */
  private static final int ROW = 100;

  private static final int WRITTEN_ROW = 104;

  Pattern {
    senders = List.copyOf(senders);
    settings = List.copyOf(settings);
  }

  private static Pattern demand(
      String name, String description, List<ImmutableLongArray> senders, String... settings) {
    return new Pattern(name, description, TWO_RECEIVERS, senders, Job.DEMAND, List.of(settings));
  }

  /** Two reducers have two senders of their own, one unit on each, and one in common with two. */
  static Pattern figure8(int megabytes) {
    return demand(
        FIGURE8,
        "The paper's figure 8: each of two reducers gets %d MB from each of two senders of its own, and %d MB from one that both have. All fits into the reducers' memory."
            .formatted(megabytes, 2 * megabytes),
        figure8Senders(megabytes));
  }

  /** The same, but outputs are too large for memory: Hadoop writes them to disk. */
  static Pattern figure8OnDisk(int megabytes) {
    return demand(
        ON_DISK,
        "The same as figure8, but no output fits into the reducers' memory: WSS fetches it in ranges.",
        figure8Senders(megabytes),
        LITTLE_MEMORY);
  }

  private static List<ImmutableLongArray> figure8Senders(int megabytes) {
    long unit = (long) megabytes * MEGABYTE;
    return List.of(
        ImmutableLongArray.of(unit, 0),
        ImmutableLongArray.of(unit, 0),
        ImmutableLongArray.of(0, unit),
        ImmutableLongArray.of(0, unit),
        ImmutableLongArray.of(2 * unit, 2 * unit));
  }

  /** One sender has more for each reducer than the others together. */
  static Pattern hotHost(int megabytes) {
    long unit = (long) megabytes * MEGABYTE;
    List<ImmutableLongArray> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS - 1; sender++) {
      senders.add(ImmutableLongArray.of(unit, unit));
    }
    senders.add(ImmutableLongArray.of(HOT * unit, HOT * unit));
    return demand(
        HOT_HOST,
        "Four senders have %d MB for each of two reducers, one has %d MB for each."
            .formatted(megabytes, HOT * megabytes),
        senders);
  }

  /** Sizes have a lognormal distribution with this median, σ = 1. */
  static Pattern skewed(int megabytes, long seed) {
    Random random = new Random(seed);
    List<ImmutableLongArray> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      senders.add(
          ImmutableLongArray.of(lognormal(random, megabytes), lognormal(random, megabytes)));
    }
    return demand(
        "skew",
        "What a sender has for a reducer has a lognormal distribution with median %d MB and σ = 1."
            .formatted(megabytes),
        senders);
  }

  private static long lognormal(Random random, int megabytes) {
    return Math.round(megabytes * MEGABYTE * Math.exp(random.nextGaussian()));
  }

  /** As many reducers as senders, on the same hosts; each has the same for each. */
  static Pattern balanced(int megabytes) {
    long[] parts = new long[SENDERS];
    Arrays.fill(parts, (long) megabytes * MEGABYTE / ROW * WRITTEN_ROW);
    return new Pattern(
        "balanced",
        "TeraSort of %d MB on five hosts, each of which has %d MB for the reducer on each."
            .formatted(SENDERS * SENDERS * megabytes, megabytes),
        FIVE_RECEIVERS,
        Collections.nCopies(SENDERS, ImmutableLongArray.copyOf(parts)),
        Job.TERASORT,
        Roles.REDUCERS_ON_SENDERS);
  }

  int reducers() {
    return reducersOnSenders() ? SENDERS : RECEIVERS;
  }

  /** Or on hosts of their own. */
  boolean reducersOnSenders() {
    return job == Job.TERASORT;
  }

  /** How many maps a sender runs. */
  int maps(int sender) {
    long bytes = senders.get(sender).stream().sum();
    long needed = (bytes + MAP_BYTES - 1) / MAP_BYTES;
    return (int) Math.max(LEAST_MAPS, Math.min(Roles.MAPS_AT_ONCE, needed));
  }

  /** The name of one input file of a sender. */
  String file(int sender, int map) {
    return "s%d-%d".formatted(sender, map);
  }

  /** Bytes of each input file of a sender: its name is all that our own job needs. */
  long fileBytes(int sender) {
    long rows = senders.get(sender).stream().sum() / WRITTEN_ROW / maps(sender);
    return job == Job.TERASORT ? rows * ROW : 1;
  }

  /** Bytes of one map of a sender, by reducer, with commas between them. */
  String demand(int sender) {
    List<String> bytes = new ArrayList<>();
    senders.get(sender).forEach(all -> bytes.add(Long.toString(all / maps(sender))));
    return String.join(",", bytes);
  }

  /** Bytes on the busiest link: no shuffle ends before it has carried them. */
  long bottleneck() {
    long most = 0;
    long[] received = new long[reducers()];
    for (int sender = 0; sender < senders.size(); sender++) {
      long sent = 0;
      for (int reducer = 0; reducer < received.length; reducer++) {
        long bytes = crossing(sender, reducer);
        sent += bytes;
        received[reducer] += bytes;
      }
      most = Math.max(most, sent);
    }
    for (long bytes : received) {
      most = Math.max(most, bytes);
    }
    return most;
  }

  /** What does not stay on its host. */
  private long crossing(int sender, int reducer) {
    boolean stays = reducersOnSenders() && sender == reducer;
    return stays ? 0 : senders.get(sender).get(reducer);
  }

  /** About how long a trial takes. */
  double trialSeconds() {
    return job.seconds + OVER_BOUND * bottleneck() / rate.bytesPerSecond();
  }
}
