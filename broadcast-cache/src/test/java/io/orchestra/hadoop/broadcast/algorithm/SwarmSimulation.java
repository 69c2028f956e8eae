package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BiPredicate;

/**
 * A swarm without a network: every host sends one piece at a time and takes one piece at a time, a
 * piece takes one unit of time each way, and nothing else takes any.
 */
final class SwarmSimulation {
  private static final long UNIT = 1_000_000;
  private static final long NEVER = Long.MAX_VALUE;

  private final int pieces;
  private final int seeds;
  private final List<Host> hosts = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingInt(Event::number));
  private int eventNumber;
  private long now;
  private long sentBySeeds;

  private record Event(long time, int number, Runnable what) {}

  private final class Host {
    final int number;
    final BitSet has = new BitSet();
    final Deque<int[]> wishes = new ArrayDeque<>();
    PieceScheduler<Integer> scheduler;
    boolean sending;
    boolean gone;
    long takesUntil;
    long complete = NEVER;

    Host(int number) {
      this.number = number;
    }
  }

  /**
   * @param near whether two receivers are near each other
   */
  SwarmSimulation(
      int receivers,
      int seeds,
      int pieces,
      RequestLimits limits,
      BiPredicate<Integer, Integer> near,
      long seed) {
    this.pieces = pieces;
    this.seeds = seeds;
    Random random = new Random(seed);
    for (int number = 0; number < seeds + receivers; number++) {
      Host host = new Host(number);
      hosts.add(host);
      if (number < seeds) {
        host.has.set(0, pieces);
      } else {
        host.scheduler =
            new PieceScheduler<>(
                pieces, Scatter.start(number - seeds), limits, new Random(random.nextLong()));
      }
    }
    for (Host host : hosts) {
      for (Host other : hosts) {
        if (host.scheduler != null && host != other) {
          boolean isNear =
              other.number >= seeds && near.test(host.number - seeds, other.number - seeds);
          host.scheduler.join(other.number, isNear, other.has);
        }
      }
    }
  }

  /** A receiver sends nothing any more from {@code units} on, and everybody notices at once. */
  SwarmSimulation killing(int receiver, double units) {
    at(
        (long) (units * UNIT),
        () -> {
          Host host = hosts.get(seeds + receiver);
          host.gone = true;
          for (Host other : hosts) {
            if (other.scheduler != null && !other.gone) {
              other.scheduler.leave(host.number);
              ask(other);
            }
          }
        });
    return this;
  }

  private void at(long time, Runnable what) {
    events.add(new Event(time, eventNumber++, what));
  }

  /**
   * @return when the last receiver that lives had everything, in units; infinite if it never had
   */
  double run() {
    hosts.stream().filter(host -> host.scheduler != null).forEach(host -> at(0, () -> ask(host)));
    while (!events.isEmpty()) {
      Event event = events.poll();
      now = event.time();
      event.what().run();
    }
    long last =
        hosts.stream()
            .filter(host -> host.scheduler != null && !host.gone)
            .mapToLong(host -> host.complete)
            .max()
            .orElse(NEVER);
    return last == NEVER ? Double.POSITIVE_INFINITY : (double) last / UNIT;
  }

  /** Pieces that seeds sent, per piece of the file. */
  double copiesFromSeeds() {
    return (double) sentBySeeds / pieces;
  }

  private void ask(Host host) {
    if (host.gone) {
      return;
    }
    for (PieceScheduler.Request<Integer> request : host.scheduler.next(now)) {
      Host sender = hosts.get(request.neighbour());
      sender.wishes.add(new int[] {host.number, request.piece()});
      send(sender);
    }
  }

  private void send(Host sender) {
    if (sender.sending || sender.wishes.isEmpty() || sender.gone) {
      return;
    }
    int[] wish = sender.wishes.poll();
    Host receiver = hosts.get(wish[0]);
    int piece = wish[1];
    if (receiver.has.get(piece) || receiver.gone) {
      send(sender);
      return;
    }
    sender.sending = true;
    sentBySeeds += sender.number < seeds ? 1 : 0;
    // Both links are busy for one unit; the receiver's may be busy still.
    long end = Math.max(now, receiver.takesUntil) + UNIT;
    receiver.takesUntil = end;
    at(
        end,
        () -> {
          sender.sending = false;
          if (!sender.gone && !receiver.gone) {
            arrive(receiver, sender, piece);
          }
          send(sender);
        });
  }

  private void arrive(Host receiver, Host sender, int piece) {
    receiver.has.set(piece);
    for (int other : receiver.scheduler.arrived(sender.number, piece, now)) {
      hosts.get(other).wishes.removeIf(wish -> wish[0] == receiver.number && wish[1] == piece);
    }
    if (receiver.scheduler.complete() && receiver.complete == NEVER) {
      receiver.complete = now;
    }
    for (Host other : hosts) {
      if (other.scheduler != null && other != receiver) {
        other.scheduler.gained(receiver.number, piece);
      }
    }
    hosts.stream().filter(host -> host.scheduler != null).forEach(this::ask);
  }
}
