package io.orchestra.hadoop.broadcast.algorithm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * A swarm without a network. Links are shared as TCP would share them in the long run (max-min
 * fair); nothing but links takes time. One unit of time is that of a piece on an idle link.
 */
final class SwarmSimulation {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final double NANOS_PER_UNIT = 1e7;

  private final int pieces;
  private final int seeds;
  private final int slots;
  private final List<Host> hosts = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private double now;
  private long sentBySeeds;
  private int killed = -1;
  private double killTime = NEVER;

  /** The links of a host: up, then down. */
  private final double[] capacities;

  private static final class Flow {
    final Host from;
    final Host to;
    final int piece;
    double left = 1;
    double rate;

    Flow(Host from, Host to, int piece) {
      this.from = from;
      this.to = to;
      this.piece = piece;
    }
  }

  private static final class Host {
    final int number;
    final BitSet has = new BitSet();

    /** What each receiver wishes of this host, and whose turn it is. */
    final Map<Integer, Set<Integer>> wishes = new LinkedHashMap<>();

    final Deque<Integer> turns = new ArrayDeque<>();
    PieceScheduler<Integer> scheduler;
    int sending;
    boolean gone;
    double complete = NEVER;

    Host(int number) {
      this.number = number;
    }
  }

  /**
   * @param slots pieces a host sends at once
   * @param near whether two receivers are near each other
   */
  SwarmSimulation(
      int receivers,
      int seeds,
      int pieces,
      int slots,
      RequestLimits limits,
      BiPredicate<Integer, Integer> near,
      long seed) {
    this.pieces = pieces;
    this.seeds = seeds;
    this.slots = slots;
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
    capacities = new double[2 * hosts.size()];
    Arrays.fill(capacities, 1);
  }

  /** A receiver is gone from {@code time} on, and everybody notices at once. */
  SwarmSimulation killing(int receiver, double time) {
    killed = seeds + receiver;
    killTime = time;
    return this;
  }

  /** A receiver's links have this part of the others' capacity. */
  SwarmSimulation slowing(int receiver, double capacity) {
    capacities[2 * (seeds + receiver)] = capacity;
    capacities[2 * (seeds + receiver) + 1] = capacity;
    return this;
  }

  /**
   * @return when the last receiver that lives had everything; infinite if it never had
   */
  double run() {
    hosts.forEach(this::ask);
    while (true) {
      share();
      double step = NEVER;
      for (Flow flow : flows) {
        step = Math.min(step, flow.left / flow.rate);
      }
      if (killTime < NEVER && killTime - now <= step) {
        advance(killTime - now);
        killTime = NEVER;
        kill();
        continue;
      }
      if (step == NEVER) {
        break;
      }
      advance(step);
      for (Flow flow : List.copyOf(flows)) {
        if (flow.left <= 1e-9 && flows.remove(flow)) {
          arrive(flow);
        }
      }
      hosts.forEach(this::ask);
    }
    return hosts.stream()
        .filter(host -> host.scheduler != null && !host.gone)
        .mapToDouble(host -> host.complete)
        .max()
        .orElse(NEVER);
  }

  /** Pieces that seeds sent, per piece of the file. */
  double copiesFromSeeds() {
    return (double) sentBySeeds / pieces;
  }

  private void advance(double step) {
    now += step;
    flows.forEach(flow -> flow.left -= flow.rate * step);
  }

  private void kill() {
    Host dead = hosts.get(killed);
    dead.gone = true;
    for (Flow flow : List.copyOf(flows)) {
      if (flow.from == dead || flow.to == dead) {
        flows.remove(flow);
        flow.from.sending--;
        serve(flow.from);
      }
    }
    for (Host other : hosts) {
      if (other.scheduler != null) {
        other.scheduler.leave(dead.number);
      }
    }
    hosts.forEach(this::ask);
  }

  /** Progressive filling: all flows grow alike until a link of theirs is full. */
  private void share() {
    double[] left = capacities.clone();
    Set<Flow> growing = new LinkedHashSet<>(flows);
    flows.forEach(flow -> flow.rate = 0);
    while (!growing.isEmpty()) {
      int[] users = new int[left.length];
      for (Flow flow : growing) {
        users[2 * flow.from.number]++;
        users[2 * flow.to.number + 1]++;
      }
      double grow = NEVER;
      for (int link = 0; link < left.length; link++) {
        grow = users[link] == 0 ? grow : Math.min(grow, left[link] / users[link]);
      }
      for (int link = 0; link < left.length; link++) {
        left[link] -= grow * users[link];
      }
      for (Flow flow : growing) {
        flow.rate += grow;
      }
      growing.removeIf(
          flow -> left[2 * flow.from.number] < 1e-12 || left[2 * flow.to.number + 1] < 1e-12);
    }
  }

  private void ask(Host host) {
    if (host.gone || host.scheduler == null) {
      return;
    }
    for (PieceScheduler.Request<Integer> request :
        host.scheduler.next((long) (now * NANOS_PER_UNIT))) {
      Host sender = hosts.get(request.neighbour());
      Set<Integer> wishes =
          sender.wishes.computeIfAbsent(host.number, receiver -> new LinkedHashSet<>());
      if (wishes.isEmpty() && !sender.turns.contains(host.number)) {
        sender.turns.add(host.number);
      }
      wishes.add(request.piece());
      serve(sender);
    }
  }

  /** Receivers take turns, one piece each; a receiver has one piece under way at a time. */
  private void serve(Host sender) {
    while (!sender.gone && sender.sending < slots && !sender.turns.isEmpty()) {
      Host receiver = hosts.get(sender.turns.poll());
      Set<Integer> wishes = sender.wishes.get(receiver.number);
      if (receiver.gone || wishes.isEmpty()) {
        continue;
      }
      int piece = wishes.iterator().next();
      wishes.remove(piece);
      sender.sending++;
      sentBySeeds += sender.number < seeds ? 1 : 0;
      flows.add(new Flow(sender, receiver, piece));
    }
  }

  private void arrive(Flow flow) {
    Host sender = flow.from;
    Host receiver = flow.to;
    sender.sending--;
    if (!sender.wishes.get(receiver.number).isEmpty()) {
      sender.turns.add(receiver.number);
    }
    receiver.has.set(flow.piece);
    for (int other :
        receiver.scheduler.arrived(sender.number, flow.piece, (long) (now * NANOS_PER_UNIT))) {
      hosts.get(other).wishes.get(receiver.number).remove(flow.piece);
    }
    if (receiver.scheduler.complete() && receiver.complete == NEVER) {
      receiver.complete = now;
    }
    for (Host other : hosts) {
      if (other.scheduler != null && other != receiver) {
        other.scheduler.gained(receiver.number, flow.piece);
      }
    }
    serve(sender);
  }

  public static void main(String[] arguments) {
    for (int receivers : new int[] {2, 4, 8, 12, 20}) {
      for (boolean racks : new boolean[] {false, true}) {
        for (int slots : new int[] {8}) {
          for (int all : new int[] {6, 8}) {
            for (int far : new int[] {2, 3}) {
              for (int per : new int[] {1, 2}) {
                double sum = 0;
                double copies = 0;
                for (int seed = 0; seed < 3; seed++) {
                  SwarmSimulation swarm =
                      new SwarmSimulation(
                          receivers,
                          3,
                          160,
                          slots,
                          new RequestLimits(all, per, far),
                          (a, b) -> !racks || a % 3 == b % 3,
                          seed);
                  sum += swarm.run();
                  copies += swarm.copiesFromSeeds();
                }
                System.out.printf(
                    "n %d %s slots %d all %d far %d per %d: %.1f copies %.2f%n",
                    receivers, racks ? "racks" : "flat", slots, all, far, per, sum / 3, copies / 3);
              }
            }
          }
        }
      }
    }
  }
}
