package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * All that links have goes to those that are read already, then to the prefetch whose task is
 * launched first, and what that cannot use to the next; CARDINAL's order is that of those launched
 * together. Nobody is abandoned, and no link is idle while anybody may begin. Devices guarantee
 * only what being in time needs: readers share the rest. Not safe for concurrent use.
 */
final class PreemptiveRates implements RateRule {
  /** A tenth: rates below it are not worth a message. */
  private static final int LEAST_SHARE = 10;

  /**
   * Half: with less of what it needs, and of what the links carry that its replicas share, a block
   * of several waits until another may give more.
   */
  private static final int LEAST_OF_SEVERAL = 2;

  /** The ends of two maps that run may change their order with every report. */
  private static final int PATIENCE = 10;

  /** Another source must have so many times as much for a copy to go there. */
  private static final int MUCH_MORE = 2;

  /** And so many times as much as has come of it lately. */
  private static final double MORE = 1.5;

  /** What comes in less time where it is is not worth another connection. */
  private static final int LEAST_SECONDS = 2;

  /** Nanoseconds by which a launch must be sooner to take the links from one that has them. */
  private static final long LEAD = Duration.ofSeconds(3).toNanos();

  /** From a nearer replica a block may come so much later. */
  private static final double NEARLY = 0.9;

  private final Allotments network;
  private final CopyDesk desk;

  PreemptiveRates(Allotments network, CopyDesk desk) {
    this.network = network;
    this.desk = desk;
  }

  @Override
  public Map<PlannedCopy, Refusal> apply(
      List<PlannedCopy> queue, long now, List<Command> commands) {
    Map<PlannedCopy, Refusal> refused = new LinkedHashMap<>();
    LinkRoom room = new LinkRoom(network);
    takeForReaders(room, now)
        .forEach((reader, taken) -> reroute(reader, taken, room, now, commands));
    for (PlannedCopy copy : queue) {
      if (copy.state == PlannedCopy.State.COPYING) {
        goOn(copy, room, now, commands);
        continue;
      }
      OptionalLong required = RequiredRate.of(copy.need.length(), now, copy.need.deadline());
      List<PrefetchFlow> flows = desk.flows(copy, now);
      if (required.isEmpty()) {
        refused.put(copy, new Refusal(Outcome.TOO_LATE));
      } else if (flows.isEmpty()) {
        refused.put(copy, new Refusal(Outcome.NO_REPLICA));
      } else {
        begin(copy, flows, required.getAsLong(), room, now, commands);
      }
    }
    return refused;
  }

  /** Unless no replica gives enough for now. */
  private void begin(
      PlannedCopy copy,
      List<PrefetchFlow> flows,
      long required,
      LinkRoom room,
      long now,
      List<Command> commands) {
    long least = required / LEAST_SHARE;
    if (flows.size() > 1) {
      least = Math.max(least, Math.min(required, room.shared(flows)) / LEAST_OF_SEVERAL);
    }
    soonest(withRoom(Math.max(1, least), flows, room), room)
        .ifPresent(
            flow -> {
              long rate = room.of(flow);
              room.take(flow, rate);
              desk.start(copy, flow, rate, Math.min(rate, required), now, commands);
            });
  }

  /** What those leave that go as fast as they can. */
  private LinkRoom room(long now) {
    LinkRoom room = new LinkRoom(network);
    takeForReaders(room, now);
    return room;
  }

  private Map<PlannedCopy, Long> takeForReaders(LinkRoom room, long now) {
    Map<PlannedCopy, Long> taken = new LinkedHashMap<>();
    desk.reading(now)
        .forEach(
            copy -> {
              long rate = copy.use(room.of(copy.flow));
              room.take(copy.flow, rate);
              taken.put(copy, rate);
            });
    return taken;
  }

  /** Several may share the link of a source while another's is idle. */
  private void reroute(
      PlannedCopy reader, long taken, LinkRoom room, long now, List<Command> commands) {
    room.take(reader.flow, -taken);
    Optional<PrefetchFlow> better = better(reader, room, now);
    better.ifPresent(flow -> desk.moveUnpaced(reader, flow, now, commands));
    room.take(reader.flow, better.isPresent() ? room.of(reader.flow) : taken);
  }

  /** Without any rate, or any use for now, it stands nearly still, and keeps what has come. */
  private void goOn(PlannedCopy copy, LinkRoom room, long now, List<Command> commands) {
    Optional<PrefetchFlow> better = copy.elsewhere ? Optional.empty() : better(copy, room, now);
    PrefetchFlow flow = better.orElse(copy.flow);
    long rate = copy.elsewhere ? CopyDesk.STANDING : Math.max(CopyDesk.STANDING, room.of(flow));
    long guarantee = Math.min(rate, inTime(copy, now));
    if (better.isPresent()) {
      desk.move(copy, flow, rate, guarantee, now, commands);
    } else if (copy.isNews(rate)) {
      desk.pace(copy, rate, guarantee, now, commands);
    } else {
      desk.guarantee(copy, Math.min(copy.told, guarantee));
    }
    room.take(flow, copy.use(rate));
  }

  /**
   * From where a copy would get much more than where it is, if that is worth the change. One that
   * is late, or will be by far, spares no links.
   */
  private Optional<PrefetchFlow> better(PlannedCopy copy, LinkRoom room, long now) {
    if (!copy.isSettled(now)) {
      return Optional.empty();
    }
    long here = copy.reach(room.of(copy.flow));
    boolean isPaced = copy.state == PlannedCopy.State.COPYING;
    long comes = isPaced ? here : Math.max(here, copy.rate());
    boolean isLate = copy.isOverdue(now) || comes < inTime(copy, now) / LEAST_OF_SEVERAL;
    List<PrefetchFlow> elsewhere =
        desk.flows(copy, now).stream()
            .filter(flow -> !flow.source().equals(copy.flow.source()))
            .filter(flow -> !copy.leftSources.contains(flow.source()))
            .filter(flow -> room.of(flow) > copy.rate() * MORE)
            .filter(flow -> room.of(flow) > MUCH_MORE * here)
            .toList();
    ToDoubleFunction<PrefetchFlow> value = isLate ? room::of : flow -> worth(flow, room.of(flow));
    double least =
        isLate ? 0 : Math.max(MUCH_MORE * worth(copy.flow, here), MORE * worth(copy.flow, comes));
    return soonest(elsewhere, value, room)
        .filter(flow -> value.applyAsDouble(flow) > least)
        .filter(flow -> copy.remaining() > comes * LEAST_SECONDS);
  }

  /** What has to be kept free for it; past its deadline no more than was. */
  private long inTime(PlannedCopy copy, long now) {
    return RequiredRate.of(copy.remaining(), now, copy.need.deadline())
        .orElse(network.rate(copy.flow));
  }

  @Override
  public Comparator<PlannedCopy> order(Comparator<PlannedCopy> critical) {
    return Comparator.<PlannedCopy, Boolean>comparing(copy -> copy.elsewhere)
        .thenComparingLong(copy -> copy.need.launch() - (copy.told > CopyDesk.STANDING ? LEAD : 0))
        .thenComparing(critical);
  }

  @Override
  public Optional<PrefetchFlow> source(PlannedCopy copy, long now) {
    LinkRoom room = room(now);
    List<PrefetchFlow> flows = desk.flows(copy, now);
    long most = flows.stream().mapToLong(room::of).max().orElse(0);
    long required =
        RequiredRate.of(copy.remaining(), now, copy.need.deadline()).orElse(Long.MAX_VALUE);
    return soonest(withRoom(Math.min(most, required) / LEAST_OF_SEVERAL, flows, room), room);
  }

  @Override
  public int patience() {
    return PATIENCE;
  }

  /**
   * Over a link that is oversubscribed a byte takes the place of several, and those who wait for
   * these hold up others: it counts for the square of their number.
   */
  private double worth(PrefetchFlow flow, long rate) {
    double subscription = network.subscription(flow);
    return rate * subscription * subscription;
  }

  private static List<PrefetchFlow> withRoom(long least, List<PrefetchFlow> flows, LinkRoom room) {
    return flows.stream().filter(flow -> room.of(flow) >= least).toList();
  }

  /** From the nearest of the replicas from which it would come first, or nearly so. */
  private Optional<PrefetchFlow> soonest(List<PrefetchFlow> flows, LinkRoom room) {
    return soonest(flows, flow -> worth(flow, room.of(flow)), room);
  }

  private Optional<PrefetchFlow> soonest(
      List<PrefetchFlow> flows, ToDoubleFunction<PrefetchFlow> value, LinkRoom room) {
    double most = flows.stream().mapToDouble(value).max().orElse(0);
    return flows.stream()
        .filter(flow -> value.applyAsDouble(flow) >= most * NEARLY)
        .min(
            Comparator.<PrefetchFlow>comparingInt(flow -> network.path(flow).size())
                .thenComparingLong(flow -> -room.of(flow))
                .thenComparing(PrefetchFlow::source));
  }
}
