package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Decides for one receiver which piece to ask of whom (Orchestra, section 5.1).
 *
 * <p>Neighbours are near or far. Near are receivers in the same rack, or all if there are none. A
 * far one, such as a replica of the file or a host behind another switch, is asked for pieces that
 * no near one has: so a piece crosses the expensive link about once, then spreads nearby. It is
 * asked for others too if it is likely to answer much sooner than near ones, which it is where the
 * link is not so expensive after all. A near one is asked for the rarest of its pieces, and for
 * some that a reader needs next. Every receiver starts at a place of its own, so that receivers do
 * not ask the replicas for the same pieces. As in Cornet there is no tit-for-tat and no choking.
 * Among neighbours the one that is likely to answer first is asked first. When all missing pieces
 * are under way, those that take long are also asked of others.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 *
 * @param <N> identity of a neighbour
 */
public final class PieceScheduler<N> {
  /** Of one that gives way: pieces asked for of which all but the last are late. */
  private static final int MOST_WHILE_GIVING_WAY = 4;

  private final int pieces;
  private final RequestLimits limits;
  private final Random random;
  private final BitSet have = new BitSet();
  private final BitSet underWay = new BitSet();

  /** Pieces that somebody has waited for, for too long. */
  private final Set<Integer> urgent = new LinkedHashSet<>();

  private final Map<N, Neighbour<N>> neighbours = new LinkedHashMap<>();
  private final ServiceTimes<N> times = new ServiceTimes<>(neighbours.values());

  /** Whether another file of this host goes first. */
  private boolean givesWay;

  /** Pieces asked for, of all neighbours together. */
  private int inFlight;

  /** How many of them may be asked of far neighbours. */
  private final FarRequests farRequests;

  /** How many near neighbours have each piece. */
  private final int[] nearby;

  /**
   * Where to go on among the pieces that nobody nearby has; -1 after the first that somebody had.
   */
  private int scatter;

  /** What a reader has waited for last. */
  private OptionalInt reading = OptionalInt.empty();

  /**
   * A piece to ask for.
   *
   * @param <N> identity of a neighbour
   */
  public record Request<N>(N neighbour, int piece) {}

  /**
   * @param start where this receiver begins among the pieces nobody nearby has, in [0, 1): other
   *     receivers begin elsewhere
   */
  public PieceScheduler(int pieces, double start, RequestLimits limits, Random random) {
    this.pieces = pieces;
    this.limits = limits;
    this.random = random;
    farRequests = new FarRequests(limits.far());
    nearby = new int[pieces];
    scatter = (int) (start * pieces);
  }

  /**
   * Says whether another file of this host goes first: then one piece is asked for at a time, and
   * of a link that both fill this one has less. What has been asked for is not taken back.
   */
  public void giveWay(boolean yes) {
    givesWay = yes;
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
    Neighbour<N> neighbour = neighbours.get(name);
    return neighbour == null ? Set.of() : neighbour.asked();
  }

  /** Neighbours that were asked for something before {@code time} and have sent nothing since. */
  public List<N> waitingSince(long time) {
    List<N> waiting = new ArrayList<>();
    for (Neighbour<N> neighbour : neighbours.values()) {
      if (neighbour.waitingSince().orElse(time) < time) {
        waiting.add(neighbour.name());
      }
    }
    return waiting;
  }

  /**
   * @param has the pieces it has now; copied
   */
  public void join(N name, Place place, BitSet has) {
    leave(name);
    neighbours.put(name, new Neighbour<>(name, place));
    divide();
    has.stream().forEach(piece -> gained(name, piece));
  }

  /** A neighbour has one more piece. Unknown neighbours are ignored. */
  public void gained(N name, int piece) {
    Neighbour<N> neighbour = neighbours.get(name);
    if (neighbour != null && !neighbour.has().get(piece)) {
      neighbour.has().set(piece);
      if (neighbour.near()) {
        nearby[piece]++;
      }
    }
  }

  /** A neighbour is gone; what it was asked for will be asked of others. */
  public void leave(N name) {
    Neighbour<N> gone = neighbours.remove(name);
    if (gone == null) {
      return;
    }
    divide();
    inFlight -= gone.inFlight();
    gone.asked().forEach(this::noLongerAsked);
  }

  /**
   * Into near and far ones. Who is the only one in his rack shares with all other receivers: nobody
   * else brings what he needs over the link, and replicas alone would have to send it to him.
   */
  private void divide() {
    boolean alone =
        neighbours.values().stream().noneMatch(neighbour -> neighbour.place() == Place.NEAR);
    Arrays.fill(nearby, 0);
    for (Neighbour<N> neighbour : neighbours.values()) {
      neighbour.setNear(
          neighbour.place() == Place.NEAR || (alone && neighbour.place() == Place.FAR));
      if (neighbour.near()) {
        neighbour.has().stream().forEach(piece -> nearby[piece]++);
      }
    }
  }

  /** A neighbour will not send a piece after all. */
  public void refused(N name, int piece) {
    Neighbour<N> neighbour = neighbours.get(name);
    if (neighbour == null) {
      return;
    }
    if (neighbour.has().get(piece)) {
      neighbour.has().clear(piece);
      if (neighbour.near()) {
        nearby[piece]--;
      }
    }
    if (neighbour.takeBack(piece)) {
      inFlight--;
      noLongerAsked(piece);
    }
  }

  /**
   * A neighbour has sent a piece, which is right.
   *
   * @return others who were asked for it too, and need not send it
   */
  public List<N> arrived(N from, int piece, long now) {
    Neighbour<N> neighbour = neighbours.get(from);
    if (neighbour != null && neighbour.sent(piece, now)) {
      inFlight--;
      farRequests.came(now);
    }
    List<N> needless = arrived(piece);
    farRequests.areExpensive(times.isFarExpensive());
    return needless;
  }

  /**
   * A piece is here, though no neighbour has sent it.
   *
   * @return who was asked for it, and need not send it
   */
  public List<N> arrived(int piece) {
    have.set(piece);
    urgent.remove(piece);
    underWay.clear(piece);
    List<N> needless = new ArrayList<>();
    for (Neighbour<N> neighbour : neighbours.values()) {
      if (neighbour.takeBack(piece)) {
        inFlight--;
        needless.add(neighbour.name());
      }
    }
    return needless;
  }

  /**
   * What whoever reads one piece after the other reads next: what is urgent, or the first that is
   * missing from {@code from} on, or else from the beginning.
   *
   * @param which may be read
   */
  public OptionalInt missing(int from, IntPredicate which) {
    return IntStream.concat(urgent.stream().mapToInt(Integer::intValue), inOrder(from))
        .filter(piece -> !have.get(piece) && which.test(piece))
        .findFirst();
  }

  /**
   * The first from {@code from} on, or else from the beginning, that is missing and that nobody was
   * asked for.
   *
   * @param which may be read
   */
  public OptionalInt unasked(int from, IntPredicate which) {
    return inOrder(from)
        .filter(piece -> !have.get(piece) && !underWay.get(piece) && which.test(piece))
        .findFirst();
  }

  private IntStream inOrder(int from) {
    return IntStream.concat(
        IntStream.range(from, pieces), IntStream.range(0, Math.min(from, pieces)));
  }

  /**
   * Somebody waits for this piece and then for those after it. Of all that is under way a quarter
   * is the first of these that are missing, each asked for once; so he need not wait for most of
   * them until everything is here.
   */
  public void awaited(int piece) {
    reading = OptionalInt.of(piece);
  }

  /**
   * Somebody has waited for this piece for too long: it is asked for next, of a near or far
   * neighbour, and of one more as often as it is late. Whoever reads a file from its beginning to
   * its end always waits for some piece, so that to ask twice for each would cost much of the link.
   */
  public void hasten(int piece) {
    if (!have.get(piece)) {
      urgent.add(piece);
    }
  }

  private void noLongerAsked(int piece) {
    if (neighbours.values().stream().noneMatch(other -> other.wasAsked(piece))) {
      underWay.clear(piece);
    }
  }

  /** What to ask for now. The requests count as made. */
  public List<Request<N>> next(long now) {
    List<Request<N>> requests = new ArrayList<>();
    for (int piece : urgent) {
      if (times.areAllLate(piece, now)) {
        another(piece, now).ifPresent(neighbour -> requests.add(ask(neighbour, piece, now)));
      }
    }
    // Most calls find nobody to ask: a neighbour has told what it has while enough is under way.
    if (hasRoom(now) && isAnybodyFree(now)) {
      for (int piece : nextToBeRead()) {
        if (!underWay.get(piece) && hasRoom(now)) {
          forReader(piece, now).ifPresent(neighbour -> requests.add(ask(neighbour, piece, now)));
        }
      }
    }
    while (hasRoom(now)) {
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

  /** Whether another piece may be asked for; one that is late keeps no others waiting. */
  private boolean hasRoom(long now) {
    int most = givesWay ? MOST_WHILE_GIVING_WAY : limits.inAll();
    return inFlight < Math.min(most, limits.inAll()) && (!givesWay || times.areAllLate(now));
  }

  private Request<N> ask(Neighbour<N> neighbour, int piece, long now) {
    underWay.set(piece);
    farRequests.asked(now);
    if (neighbour.ask(piece, now)) {
      inFlight++;
    }
    return new Request<>(neighbour.name(), piece);
  }

  /**
   * A way to fetch a piece.
   *
   * @param cost nanoseconds until it is likely to come, and more for what should be left to others
   * @param anything also a piece that a near neighbour has; else a far one is not asked for it
   */
  private record Offer<T>(T neighbour, double cost, boolean anything) {}

  private Request<N> pick(long now) {
    List<Neighbour<N>> free = new ArrayList<>();
    double worthWaiting = Double.POSITIVE_INFINITY;
    for (Neighbour<N> neighbour : neighbours.values()) {
      if (!isFull(neighbour)) {
        free.add(neighbour);
      } else if (neighbour.near() && neighbour.serviceTime() > 0) {
        worthWaiting = Math.min(worthWaiting, neighbour.expected(now));
      }
    }
    boolean mayAskFar = mayAskFar(now);
    // Equals in a new order each time, or all receivers would begin with the same one.
    Collections.shuffle(free, random);
    List<Offer<Neighbour<N>>> offers = new ArrayList<>();
    for (Neighbour<N> neighbour : free) {
      double expected = neighbour.expected(now);
      if (neighbour.near()) {
        offers.add(new Offer<>(neighbour, expected, true));
      } else if (mayAskFar) {
        offers.add(new Offer<>(neighbour, expected, false));
        double cost = times.costOfFar(neighbour, now);
        if (cost < worthWaiting) {
          offers.add(new Offer<>(neighbour, cost, true));
        }
      }
    }
    offers.sort(Comparator.comparingDouble(Offer::cost));
    for (Offer<Neighbour<N>> offer : offers) {
      Neighbour<N> neighbour = offer.neighbour();
      int piece = offer.anything() ? rarest(neighbour) : nowhereNearby(neighbour);
      if (piece >= 0) {
        return new Request<>(neighbour.name(), piece);
      }
    }
    return null;
  }

  private boolean isFull(Neighbour<N> neighbour) {
    return neighbour.inFlight() >= limits.perNeighbour();
  }

  /** Whether anybody may be asked for another piece, whatever he has. */
  private boolean isAnybodyFree(long now) {
    boolean alsoFar = mayAskFar(now);
    for (Neighbour<N> neighbour : neighbours.values()) {
      if (!isFull(neighbour) && (neighbour.near() || alsoFar)) {
        return true;
      }
    }
    return false;
  }

  /** Pieces a neighbour has that are neither here nor under way. */
  private BitSet wanted(Neighbour<N> neighbour) {
    BitSet wanted = (BitSet) neighbour.has().clone();
    wanted.andNot(have);
    wanted.andNot(underWay);
    return wanted;
  }

  /** Of the pieces wanted from a neighbour one that the fewest near neighbours have; -1 if none. */
  private int rarest(Neighbour<N> neighbour) {
    int best = -1;
    int equals = 0;
    BitSet wanted = wanted(neighbour);
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
  private int nowhereNearby(Neighbour<N> neighbour) {
    BitSet wanted = wanted(neighbour);
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
    Map<Integer, Integer> requested = new HashMap<>();
    neighbours
        .values()
        .forEach(other -> other.asked().forEach(piece -> requested.merge(piece, 1, Integer::sum)));
    for (Neighbour<N> slow : List.copyOf(neighbours.values())) {
      for (int piece : List.copyOf(slow.asked())) {
        if (times.isLate(slow, piece, now)
            && requested.get(piece) == 1
            && inFlight < 2 * limits.inAll()) {
          another(piece, now).ifPresent(other -> requests.add(ask(other, piece, now)));
        }
      }
    }
  }

  /**
   * The one that is likely to send a piece first, of those who have it and were not asked for it.
   */
  private Optional<Neighbour<N>> another(int piece, long now) {
    return neighbours.values().stream()
        .filter(other -> !isFull(other) && other.has().get(piece) && !other.wasAsked(piece))
        .min(Comparator.comparingDouble(other -> other.expected(now)));
  }

  private List<Integer> nextToBeRead() {
    List<Integer> next = new ArrayList<>();
    int most = Math.max(1, limits.inAll() / 4);
    int piece = have.nextClearBit(reading.orElse(pieces));
    while (piece < pieces && next.size() < most) {
      next.add(piece);
      piece = have.nextClearBit(piece + 1);
    }
    return next;
  }

  /**
   * Who is likely to be the first to send a piece that a reader needs, if he can be asked now.
   * Receivers that are near each other wait for the same pieces at about the same time: what none
   * of them has is left to the one that fetches it from afar in the course of things. Where nobody
   * is near all are asked, those first that have not been asked for anything: each is as good.
   */
  private Optional<Neighbour<N>> forReader(int piece, long now) {
    boolean alone = isNobodyNear();
    boolean alsoFar = alone || nearby[piece] > 0;
    Neighbour<N> best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Neighbour<N> other : neighbours.values()) {
      if (other.has().get(piece) && (other.near() || alsoFar)) {
        double cost = other.near() || alone ? other.expected(now) : times.costOfFar(other, now);
        if (cost < least) {
          best = other;
          least = cost;
        }
      }
    }
    return Optional.ofNullable(best)
        .filter(first -> !isFull(first) && (first.near() || mayAskFar(now)));
  }

  private boolean isNobodyNear() {
    for (Neighbour<N> neighbour : neighbours.values()) {
      if (neighbour.near()) {
        return false;
      }
    }
    return true;
  }

  private boolean mayAskFar(long now) {
    int fromFar = 0;
    for (Neighbour<N> neighbour : neighbours.values()) {
      fromFar += neighbour.near() ? 0 : neighbour.inFlight();
    }
    return fromFar < farRequests.most(now);
  }
}
