package io.orchestra.hadoop.broadcast.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How long pieces took between peers: what {@link RackInference} learns from (Orchestra, section
 * 5.3).
 *
 * <p>Of each ordered pair the latest {@value #REMEMBERED} times count, and of those the median. The
 * minimum would hide what is looked for: behind an oversubscribed link a piece is slow only while
 * others pass, and the best time of any pair is that of an idle network.
 *
 * <p>All times are taken to be of the same number of bytes. Of one receiver the latest senders are
 * remembered, and of all receivers the latest ones. For one thread at a time.
 *
 * @param <P> identity of a peer
 */
public final class TransferTimes<P> {
  private static final int REMEMBERED = 9;
  private static final int SENDERS = 64;
  private static final int RECEIVERS = 1000;

  /** Senders of each receiver; in both maps the latest is last. */
  private final Map<P, Map<P, Recent>> received = new LinkedHashMap<>();

  private static final class Recent {
    private final double[] millis = new double[REMEMBERED];
    private int seen;

    Recent() {}

    Recent(Recent other) {
      System.arraycopy(other.millis, 0, millis, 0, REMEMBERED);
      seen = other.seen;
    }

    void add(double time) {
      millis[seen % REMEMBERED] = time;
      // Counts on from a full ring, and never overflows.
      seen = seen + 1 == 2 * REMEMBERED ? REMEMBERED : seen + 1;
    }

    double median() {
      double[] sorted = Arrays.copyOf(millis, Math.min(seen, REMEMBERED));
      Arrays.sort(sorted);
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
  }

  /** What is known now. */
  public TransferTimes<P> copy() {
    TransferTimes<P> copy = new TransferTimes<>();
    received.forEach(
        (to, senders) -> {
          Map<P, Recent> times = new LinkedHashMap<>();
          senders.forEach((from, recent) -> times.put(from, new Recent(recent)));
          copy.received.put(to, times);
        });
    return copy;
  }

  /**
   * Notes that a piece has come.
   *
   * @param millis more than 0
   * @throws IllegalArgumentException if a peer sends to itself, or the time is not positive
   */
  public void add(P from, P to, double millis) {
    checkArgument(!from.equals(to), "%s sends to itself", from);
    checkArgument(
        millis > 0 && millis < Double.POSITIVE_INFINITY,
        "%s ms from %s to %s: a time must be positive",
        millis,
        from,
        to);
    Map<P, Recent> senders = touch(received, to, RECEIVERS, LinkedHashMap::new);
    touch(senders, from, SENDERS, Recent::new).add(millis);
  }

  /** Makes a key the latest, and drops the one that was so longest ago if there are too many. */
  private static <K, V> V touch(Map<K, V> map, K key, int limit, Supplier<V> absent) {
    V known = map.remove(key);
    V value = known == null ? absent.get() : known;
    map.put(key, value);
    if (map.size() > limit) {
      map.remove(map.keySet().iterator().next());
    }
    return value;
  }

  /**
   * Receivers, the one heard of last at the end, then those who only send, as far as there may be
   * as many.
   */
  public List<P> peers() {
    Set<P> peers = new LinkedHashSet<>(received.keySet());
    received.values().forEach(senders -> peers.addAll(senders.keySet()));
    return peers.stream().limit(RECEIVERS).toList();
  }

  /**
   * Milliseconds between any two of {@link #peers()}, in that order: the geometric mean of both
   * directions, or the one that was observed. Noise and the speeds of hosts multiply times, so that
   * it is logarithms that should be averaged.
   *
   * @return a symmetric matrix; NaN where nothing was observed, and on the diagonal
   */
  double[][] symmetric() {
    List<P> peers = peers();
    double[][] times = new double[peers.size()][peers.size()];
    for (int i = 0; i < peers.size(); i++) {
      times[i][i] = Double.NaN;
      for (int j = 0; j < i; j++) {
        double logarithm =
            Stream.of(recent(peers.get(i), peers.get(j)), recent(peers.get(j), peers.get(i)))
                .flatMap(Stream::ofNullable)
                .mapToDouble(recent -> Math.log(recent.median()))
                .average()
                .orElse(Double.NaN);
        times[i][j] = Math.exp(logarithm);
        times[j][i] = times[i][j];
      }
    }
    return times;
  }

  private Recent recent(P from, P to) {
    return received.getOrDefault(to, Map.of()).get(from);
  }
}
