package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides for one receiver which piece to ask of whom (Orchestra, section 5.1).
 *
 * <p>Neighbours are near or far. A far one, such as a replica of the file or a host behind another
 * switch, is asked for pieces that no near one has: so a piece crosses the expensive link about
 * once, then spreads nearby. It is asked for others too if it is likely to answer much sooner than
 * near ones, which it is where the link is not so expensive after all. A near one is asked for the
 * rarest of its pieces. Every receiver starts at a place of its own, so that receivers do not ask
 * the replicas for the same pieces. As in Cornet there is no tit-for-tat and no choking. Among
 * neighbours the one that is likely to answer first is asked first. When all missing pieces are
 * under way, those that take long are also asked of others.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 *
 * @param <N> identity of a neighbour
 */
public final class PieceScheduler<N> {
  private static final double WEIGHT_OF_NEW = 0.3;

  /**
   * A piece that is nearby too is fetched from afar only if it comes so many times sooner; and
   * where pieces from afar take more than so many times as long as others, the way is expensive.
   */
  private static final double FAR_COST = 2;

  /** Nanoseconds until a piece that somebody waits for is asked of one neighbour more. */
  private static final long PATIENCE = 1_000_000_000L;

  private final int pieces;
  private final RequestLimits limits;
  private final Random random;
  private final BitSet have = new BitSet();
  private final BitSet underWay = new BitSet();

  /** Pieces that somebody waits for, and when they are to be asked of one neighbour more. */
  private final Map<Integer, Long> urgent = new LinkedHashMap<>();

  private final Map<N, Neighbour> neighbours = new LinkedHashMap<>();

  /** Pieces asked for, of all neighbours together. */
  private int inFlight;

  /** How many of them may be asked of far neighbours. */
  private int mostFromFar;

  /** How many near neighbours have each piece. */
  private final int[] nearby;

  /**
   * Where to go on among the pieces that nobody nearby has; -1 after the first that somebody had.
   */
  private int scatter;

  /**
   * A piece to ask for.
   *
   * @param <N> identity of a neighbour
   */
  public record Request<N>(N neighbour, int piece) {}

  private final class Neighbour {
    final N name;
    final boolean near;
    final BitSet has;

    /** Pieces asked for and when, the longest ago first. */
    private final Map<Integer, Long> asked = new LinkedHashMap<>();

    long lastArrival = Long.MIN_VALUE;

    /** Nanoseconds from one piece to the next while something is asked for; 0 if unknown. */
    double serviceTime;

    Neighbour(N name, boolean near, BitSet has) {
      this.name = name;
      this.near = near;
      this.has = has;
    }

    /** When another piece asked for now is likely to come. */
    double expected() {
      return (asked.size() + 1) * serviceTime;
    }

    /** The same, if it has not been silent for longer. */
    double expected(long now) {
      return Math.max(expected(), asked.isEmpty() ? 0 : now - waitingSince());
    }

    /** Since when nothing has come of what was asked for; call only if something was. */
    long waitingSince() {
      return Math.max(asked.values().iterator().next(), lastArrival);
    }

    boolean full() {
      return asked.size() >= limits.perNeighbour();
    }

    void ask(int piece, long now) {
      if (asked.putIfAbsent(piece, now) == null) {
        inFlight++;
      }
    }

    /** Returns when it was asked for the piece; null if it was not. */
    Long answered(int piece) {
      Long since = asked.remove(piece);
      if (since != null) {
        inFlight--;
      }
      return since;
    }

    /** Pieces it has that are neither here nor under way. */
    BitSet wanted() {
      BitSet wanted = (BitSet) has.clone();
      wanted.andNot(have);
      wanted.andNot(underWay);
      return wanted;
    }
  }

  /**
   * @param start where this receiver begins among the pieces nobody nearby has, in [0, 1): other
   *     receivers begin elsewhere
   */
  public PieceScheduler(int pieces, double start, RequestLimits limits, Random random) {
    this.pieces = pieces;
    this.limits = limits;
    this.random = random;
    mostFromFar = limits.far();
    nearby = new int[pieces];
    scatter = (int) (start * pieces);
  }

  /** Says which pieces need not be fetched. */
  public void alreadyHave(BitSet present) {
    have.or(present);
  }

  public boolean complete() {
    return have.cardinality() == pieces;
  }

  /** How many pieces are here. */
  public int have() {
    return have.cardinality();
  }

  public boolean has(int piece) {
    return have.get(piece);
  }

  /** What a neighbour was asked for and has not sent. */
  public Set<Integer> asked(N name) {
    Neighbour neighbour = neighbours.get(name);
    return neighbour == null ? Set.of() : neighbour.asked.keySet();
  }

  /** Neighbours that were asked for something before {@code time} and have sent nothing since. */
  public List<N> waitingSince(long time) {
    List<N> waiting = new ArrayList<>();
    for (Neighbour neighbour : neighbours.values()) {
      if (!neighbour.asked.isEmpty() && neighbour.waitingSince() < time) {
        waiting.add(neighbour.name);
      }
    }
    return waiting;
  }

  /**
   * @param has the pieces it has now; copied
   */
  public void join(N name, boolean near, BitSet has) {
    leave(name);
    Neighbour neighbour = new Neighbour(name, near, new BitSet());
    neighbours.put(name, neighbour);
    has.stream().forEach(piece -> gained(name, piece));
  }

  /** A neighbour has one more piece. Unknown neighbours are ignored. */
  public void gained(N name, int piece) {
    Neighbour neighbour = neighbours.get(name);
    if (neighbour != null && !neighbour.has.get(piece)) {
      neighbour.has.set(piece);
      if (neighbour.near) {
        nearby[piece]++;
      }
    }
  }

  /** A neighbour is gone; what it was asked for will be asked of others. */
  public void leave(N name) {
    Neighbour gone = neighbours.remove(name);
    if (gone == null) {
      return;
    }
    if (gone.near) {
      gone.has.stream().forEach(piece -> nearby[piece]--);
    }
    inFlight -= gone.asked.size();
    gone.asked.keySet().forEach(this::noLongerAsked);
  }

  /** A neighbour will not send a piece after all. */
  public void refused(N name, int piece) {
    Neighbour neighbour = neighbours.get(name);
    if (neighbour == null) {
      return;
    }
    if (neighbour.has.get(piece)) {
      neighbour.has.clear(piece);
      if (neighbour.near) {
        nearby[piece]--;
      }
    }
    if (neighbour.answered(piece) != null) {
      noLongerAsked(piece);
    }
  }

  /**
   * A piece has come and is right.
   *
   * @return others who were asked for it too, and need not send it
   */
  public List<N> arrived(N from, int piece, long now) {
    have.set(piece);
    urgent.remove(piece);
    underWay.clear(piece);
    List<N> needless = new ArrayList<>();
    for (Neighbour neighbour : neighbours.values()) {
      Long asked = neighbour.answered(piece);
      if (asked == null) {
        continue;
      }
      if (neighbour.name.equals(from)) {
        measure(neighbour, now - Math.max(asked, neighbour.lastArrival));
        neighbour.lastArrival = now;
      } else {
        needless.add(neighbour.name);
      }
    }
    mostFromFar = farIsExpensive() ? limits.far() : 2 * limits.far();
    return needless;
  }

  private boolean farIsExpensive() {
    double far = typicalServiceTime(neighbour -> !neighbour.near);
    double near = typicalServiceTime(neighbour -> neighbour.near);
    return far == 0 || near == 0 || far > FAR_COST * near;
  }

  private static void measure(PieceScheduler<?>.Neighbour neighbour, long time) {
    neighbour.serviceTime =
        neighbour.serviceTime == 0
            ? time
            : (1 - WEIGHT_OF_NEW) * neighbour.serviceTime + WEIGHT_OF_NEW * time;
  }

  /**
   * Somebody waits for this piece: one neighbour more is asked for it, near or far, and another
   * each second until it comes.
   */
  public void hasten(int piece) {
    if (!have.get(piece)) {
      urgent.put(piece, Long.MIN_VALUE);
    }
  }

  private void noLongerAsked(int piece) {
    if (neighbours.values().stream().noneMatch(other -> other.asked.containsKey(piece))) {
      underWay.clear(piece);
    }
  }

  /** What to ask for now. The requests count as made. */
  public List<Request<N>> next(long now) {
    List<Request<N>> requests = new ArrayList<>();
    for (Map.Entry<Integer, Long> piece : urgent.entrySet()) {
      if (piece.getValue() <= now) {
        another(piece.getKey())
            .ifPresent(
                neighbour -> {
                  piece.setValue(now + PATIENCE);
                  requests.add(ask(neighbour, piece.getKey(), now));
                });
      }
    }
    while (inFlight < limits.inAll()) {
      Request<N> request = pick(now);
      if (request == null) {
        break;
      }
      requests.add(ask(neighbours.get(request.neighbour()), request.piece(), now));
    }
    if (requests.isEmpty() && underWay.cardinality() + have.cardinality() == pieces) {
      hurry(now, requests);
    }
    return requests;
  }

  private Request<N> ask(Neighbour neighbour, int piece, long now) {
    underWay.set(piece);
    neighbour.ask(piece, now);
    return new Request<>(neighbour.name, piece);
  }

  /**
   * A way to fetch a piece.
   *
   * @param cost nanoseconds until it is likely to come, and more for what should be left to others
   * @param anything also a piece that a near neighbour has; else a far one is not asked for it
   */
  private record Offer<T>(T neighbour, double cost, boolean anything) {}

  private Request<N> pick(long now) {
    List<Neighbour> free = new ArrayList<>();
    int far = 0;
    double worthWaiting = Double.POSITIVE_INFINITY;
    for (Neighbour neighbour : neighbours.values()) {
      if (!neighbour.full()) {
        free.add(neighbour);
      } else if (neighbour.near && neighbour.serviceTime > 0) {
        worthWaiting = Math.min(worthWaiting, neighbour.expected(now));
      }
      far += neighbour.near ? 0 : neighbour.asked.size();
    }
    // Equals in a new order each time, or all receivers would begin with the same one.
    Collections.shuffle(free, random);
    List<Offer<Neighbour>> offers = new ArrayList<>();
    for (Neighbour neighbour : free) {
      double expected = neighbour.expected(now);
      if (neighbour.near) {
        offers.add(new Offer<>(neighbour, expected, true));
      } else if (far < mostFromFar) {
        offers.add(new Offer<>(neighbour, expected, false));
        double cost = expected == 0 ? Double.MAX_VALUE : FAR_COST * expected;
        if (cost < worthWaiting) {
          offers.add(new Offer<>(neighbour, cost, true));
        }
      }
    }
    offers.sort(Comparator.comparingDouble(Offer::cost));
    for (Offer<Neighbour> offer : offers) {
      Neighbour neighbour = offer.neighbour();
      int piece = offer.anything() ? rarest(neighbour) : nowhereNearby(neighbour);
      if (piece >= 0) {
        return new Request<>(neighbour.name, piece);
      }
    }
    return null;
  }

  /** Of the pieces wanted from a neighbour one that the fewest near neighbours have; -1 if none. */
  private int rarest(Neighbour neighbour) {
    int best = -1;
    int equals = 0;
    BitSet wanted = neighbour.wanted();
    for (int piece = wanted.nextSetBit(0); piece >= 0; piece = wanted.nextSetBit(piece + 1)) {
      if (best < 0 || nearby[piece] < nearby[best]) {
        best = piece;
        equals = 1;
      } else if (nearby[piece] == nearby[best] && random.nextInt(++equals) == 0) {
        best = piece;
      }
    }
    return best;
  }

  /** A piece wanted from a far neighbour that nobody nearby has; -1 if there is none. */
  private int nowhereNearby(Neighbour neighbour) {
    BitSet wanted = neighbour.wanted();
    for (int step = 0; scatter >= 0 && step < pieces; step++) {
      int piece = scatter;
      // Where another receiver has begun, its part of the scattering begins.
      scatter = nearby[piece] == 0 ? (piece + 1) % pieces : -1;
      if (scatter >= 0 && wanted.get(piece)) {
        return piece;
      }
    }
    int found = -1;
    int seen = 0;
    for (int piece = wanted.nextSetBit(0); piece >= 0; piece = wanted.nextSetBit(piece + 1)) {
      if (nearby[piece] == 0 && random.nextInt(++seen) == 0) {
        found = piece;
      }
    }
    return found;
  }

  /** Asks others for pieces that take longer than usual. */
  private void hurry(long now, List<Request<N>> requests) {
    double late = 2 * typicalServiceTime(neighbour -> true);
    Map<Integer, Integer> times = new HashMap<>();
    neighbours
        .values()
        .forEach(
            other -> other.asked.keySet().forEach(piece -> times.merge(piece, 1, Integer::sum)));
    for (Neighbour slow : List.copyOf(neighbours.values())) {
      for (Map.Entry<Integer, Long> asked : Map.copyOf(slow.asked).entrySet()) {
        int piece = asked.getKey();
        if (now - asked.getValue() > late
            && times.get(piece) == 1
            && inFlight < 2 * limits.inAll()) {
          another(piece).ifPresent(other -> requests.add(ask(other, piece, now)));
        }
      }
    }
  }

  /**
   * The one that is likely to send a piece first, of those who have it and were not asked for it.
   */
  private Optional<Neighbour> another(int piece) {
    return neighbours.values().stream()
        .filter(other -> !other.full() && other.has.get(piece) && !other.asked.containsKey(piece))
        .min(Comparator.comparingDouble(Neighbour::expected));
  }

  /** The median of some neighbours; 0 if nothing has come from them. */
  private double typicalServiceTime(Predicate<Neighbour> of) {
    double[] times =
        neighbours.values().stream()
            .filter(of)
            .mapToDouble(neighbour -> neighbour.serviceTime)
            .filter(time -> time > 0)
            .sorted()
            .toArray();
    return times.length == 0 ? 0 : times[times.length / 2];
  }
}
