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
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;

/**
 * A swarm without a network. Links are shared as TCP would share them in the long run (max-min
 * fair). One unit of time is that of a piece on an idle link.
 */
final class SwarmSimulation {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final double NANOS_PER_UNIT = 1e7;

  private final int pieces;
  private final int seeds;
  private final int slots;
  private final List<Host> hosts = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final BiPredicate<Integer, Integer> near;
  private final Random meetings;
  private double latency;
  private double latestMeeting;
  private double readTime = NEVER;
  private boolean readersAreHeeded;
  private double now;

  /** Whether flows have begun or ended since they shared their links. */
  private boolean haveFlowsChanged;

  private long sentBySeeds;

  /** Of the links of each host and then of each rack: up, then down. */
  private double[] capacities;

  private int racks;

  private record Event(double time, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return Double.compare(time, other.time);
    }
  }

  private static final class Flow {
    final Host from;
    final Host to;
    final int piece;
    final int[] links;
    double left = 1;
    double rate;

    Flow(Host from, Host to, int piece, int[] links) {
      this.from = from;
      this.to = to;
      this.piece = piece;
      this.links = links;
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

    /** The next piece that its reader needs, in their order, and whether he waits for it. */
    int position;

    boolean waits;
    double read = NEVER;

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
    this.near = near;
    meetings = new Random(random.nextLong());
    capacities = new double[2 * hosts.size()];
    Arrays.fill(capacities, 1);
  }

  /** A receiver is gone from {@code time} on, and everybody notices at once. */
  SwarmSimulation killing(int receiver, double time) {
    events.add(new Event(time, () -> kill(hosts.get(seeds + receiver))));
    return this;
  }

  /** Whatever one host tells another, and the last byte of a piece, needs this time. */
  SwarmSimulation withLatency(double time) {
    latency = time;
    return this;
  }

  /** Connections are there at different times, the last one after this. */
  SwarmSimulation meetingWithin(double time) {
    latestMeeting = time;
    return this;
  }

  /**
   * Hosts take turns in racks, replicas first. What leaves a rack, or comes into it, shares a link
   * of this capacity.
   */
  SwarmSimulation inRacks(int count, double capacity) {
    racks = count;
    capacities = Arrays.copyOf(capacities, 2 * (hosts.size() + count));
    Arrays.fill(capacities, 2 * hosts.size(), capacities.length, capacity);
    return this;
  }

  /**
   * At each receiver somebody reads the pieces in their order as they come.
   *
   * @param time that he needs for each
   * @param heeded whether the scheduler hears what he waits for
   */
  SwarmSimulation read(double time, boolean heeded) {
    readTime = time;
    readersAreHeeded = heeded;
    return this;
  }

  /**
   * @return when the last receiver that lives had everything; infinite if it never had
   */
  double run() {
    for (Host host : hosts) {
      for (Host other : hosts) {
        if (host.scheduler != null && host != other) {
          double time = latestMeeting * meetings.nextDouble();
          events.add(new Event(time, () -> meet(host, other)));
        }
      }
    }
    hosts.stream().filter(host -> host.scheduler != null).forEach(this::readOn);
    hosts.forEach(this::ask);
    while (!flows.isEmpty() || !events.isEmpty()) {
      share();
      double next = events.isEmpty() ? NEVER : events.peek().time();
      for (Flow flow : flows) {
        next = Math.min(next, now + flow.left / flow.rate);
      }
      advance(next - now);
      for (Flow flow : List.copyOf(flows)) {
        if (flow.left <= 1e-9 && flows.remove(flow)) {
          haveFlowsChanged = true;
          sent(flow);
        }
      }
      while (!events.isEmpty() && events.peek().time() <= now) {
        events.poll().action().run();
      }
      hosts.forEach(this::ask);
    }
    return last(host -> host.complete);
  }

  private void meet(Host host, Host other) {
    if (!other.gone) {
      host.scheduler.join(other.number, place(host, other), other.has);
    }
  }

  private Place place(Host host, Host other) {
    if (other.number < seeds) {
      return Place.REPLICA;
    }
    return near.test(host.number - seeds, other.number - seeds) ? Place.NEAR : Place.FAR;
  }

  /** When the last reader of those receivers had read everything. */
  double lastRead() {
    return last(host -> host.read);
  }

  private double last(ToDoubleFunction<Host> time) {
    return hosts.stream()
        .filter(host -> host.scheduler != null && !host.gone)
        .mapToDouble(time)
        .max()
        .orElse(NEVER);
  }

  private void readOn(Host host) {
    if (readTime == NEVER) {
      return;
    }
    if (host.position == pieces) {
      host.read = now;
    } else if (host.has.get(host.position)) {
      events.add(new Event(now + readTime, () -> wasRead(host)));
    } else {
      host.waits = true;
      if (readersAreHeeded) {
        host.scheduler.awaited(host.position);
      }
    }
  }

  private void wasRead(Host host) {
    host.position++;
    readOn(host);
  }

  /** Pieces that seeds sent, per piece of the file. */
  double copiesFromSeeds() {
    return (double) sentBySeeds / pieces;
  }

  private void advance(double step) {
    now += step;
    flows.forEach(flow -> flow.left -= flow.rate * step);
  }

  private void later(Runnable action) {
    events.add(new Event(now + latency, action));
  }

  private void kill(Host dead) {
    dead.gone = true;
    for (Flow flow : List.copyOf(flows)) {
      if (flow.from == dead || flow.to == dead) {
        flows.remove(flow);
        haveFlowsChanged = true;
        flow.from.sending--;
        serve(flow.from);
      }
    }
    for (Host other : hosts) {
      if (other.scheduler != null) {
        other.scheduler.leave(dead.number);
      }
    }
  }

  /** Progressive filling: all flows grow alike until a link of theirs is full. */
  private void share() {
    if (!haveFlowsChanged) {
      return;
    }
    haveFlowsChanged = false;
    double[] left = capacities.clone();
    List<Flow> growing = new ArrayList<>(flows);
    flows.forEach(flow -> flow.rate = 0);
    while (!growing.isEmpty()) {
      int[] users = new int[left.length];
      for (Flow flow : growing) {
        for (int link : flow.links) {
          users[link]++;
        }
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
      growing.removeIf(flow -> hasFullLink(flow, left));
    }
  }

  private static boolean hasFullLink(Flow flow, double[] left) {
    for (int link : flow.links) {
      if (left[link] < 1e-12) {
        return true;
      }
    }
    return false;
  }

  private int[] links(Host from, Host to) {
    int up = 2 * from.number;
    int down = 2 * to.number + 1;
    if (racks == 0 || from.number % racks == to.number % racks) {
      return new int[] {up, down};
    }
    int uplink = 2 * (hosts.size() + from.number % racks);
    int downlink = 2 * (hosts.size() + to.number % racks) + 1;
    return new int[] {up, uplink, downlink, down};
  }

  private void ask(Host host) {
    if (host.gone || host.scheduler == null) {
      return;
    }
    for (PieceScheduler.Request<Integer> request :
        host.scheduler.next((long) (now * NANOS_PER_UNIT))) {
      later(() -> wish(host, hosts.get(request.neighbour()), request.piece()));
    }
  }

  private void wish(Host receiver, Host sender, int piece) {
    Set<Integer> wishes =
        sender.wishes.computeIfAbsent(receiver.number, number -> new LinkedHashSet<>());
    if (wishes.isEmpty() && !sender.turns.contains(receiver.number)) {
      sender.turns.add(receiver.number);
    }
    wishes.add(piece);
    serve(sender);
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
      flows.add(new Flow(sender, receiver, piece, links(sender, receiver)));
      haveFlowsChanged = true;
    }
  }

  private void sent(Flow flow) {
    Host sender = flow.from;
    sender.sending--;
    if (!sender.wishes.get(flow.to.number).isEmpty()) {
      sender.turns.add(flow.to.number);
    }
    serve(sender);
    later(() -> arrived(flow));
  }

  private void arrived(Flow flow) {
    Host receiver = flow.to;
    receiver.has.set(flow.piece);
    for (int other :
        receiver.scheduler.arrived(flow.from.number, flow.piece, (long) (now * NANOS_PER_UNIT))) {
      later(() -> needless(receiver, hosts.get(other), flow.piece));
    }
    if (receiver.scheduler.complete() && receiver.complete == NEVER) {
      receiver.complete = now;
    }
    if (receiver.waits && receiver.has.get(receiver.position)) {
      receiver.waits = false;
      readOn(receiver);
    }
    for (Host other : hosts) {
      if (other.scheduler != null && other != receiver) {
        later(() -> other.scheduler.gained(receiver.number, flow.piece));
      }
    }
  }

  private static void needless(Host receiver, Host sender, int piece) {
    sender.wishes.getOrDefault(receiver.number, Set.of()).remove(piece);
  }
}
