package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.prefetch.algorithm.flow.PlannedCopy.State;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What happens to copies: the table of them, the books of the network, the log of decisions and the
 * commands to daemons change together. Not safe for concurrent use.
 */
final class CopyDesk {
  /** Bytes per second of a copy that keeps what has come, and takes nothing from others. */
  static final long STANDING = 1;

  private final Allotments network;
  private final CopyTable copies;
  private final DecisionLog log;
  private final boolean readingCounts;
  private final LinkTraffic traffic = new LinkTraffic();
  private long lastId;

  /**
   * @param readingCounts whether a copy that is read while it comes still is a prefetch, for which
   *     others leave links; if not, it is other traffic from the launch of its task on
   */
  CopyDesk(Allotments network, CopyTable copies, DecisionLog log, boolean readingCounts) {
    this.network = network;
    this.copies = copies;
    this.log = log;
    this.readingCounts = readingCounts;
  }

  /** One flow, which may begin at any of these sources. */
  List<PrefetchFlow> flows(PlannedCopy copy, long now) {
    long id = ++lastId;
    List<String> there = copy.need.replicas().stream().filter(network::knows).toList();
    return copy.askable(there, now).stream()
        .filter(source -> network.knows(copy.need.target()))
        .map(source -> new PrefetchFlow(id, copy.need.job(), source, copy.need.target()))
        .toList();
  }

  /**
   * @param rate that its daemon is told, bytes per second
   * @param guarantee at most that: what devices keep free for it
   */
  void start(
      PlannedCopy copy,
      PrefetchFlow flow,
      long rate,
      long guarantee,
      long now,
      List<Command> commands) {
    copies.begin(copy, flow, now);
    tell(copy, rate, guarantee, now);
    log.decided(copy, Outcome.STARTED, "from " + flow.source() + " at " + rate + " bytes/s");
    commands.add(new Command.Start(flow, copy.need, rate, Optional.empty(), copy.confirmed, false));
  }

  /** The map has its container: it goes as fast as its reader would fetch it without us. */
  void startUnpaced(PlannedCopy copy, PrefetchFlow flow, long now, List<Command> commands) {
    copies.begin(copy, flow, now);
    read(copy, now);
    log.decided(copy, Outcome.STARTED, "from " + flow.source() + " as fast as it can");
    commands.add(
        new Command.Start(
            flow, copy.need, Command.UNPACED, Optional.empty(), copy.confirmed, true));
  }

  /**
   * A copy goes on from another source. See {@link #start}.
   *
   * @param flow that takes the place of the copy's own
   */
  void move(
      PlannedCopy copy,
      PrefetchFlow flow,
      long rate,
      long guarantee,
      long now,
      List<Command> commands) {
    commands.add(move(copy, flow, rate, false, now));
    tell(copy, rate, guarantee, now);
  }

  /** See {@link #move}: the task reads it. */
  void moveUnpaced(PlannedCopy copy, PrefetchFlow flow, long now, List<Command> commands) {
    commands.add(move(copy, flow, Command.UNPACED, true, now));
    read(copy, now);
  }

  private Command move(PlannedCopy copy, PrefetchFlow flow, long rate, boolean launched, long now) {
    PrefetchFlow before = copy.flow;
    release(copy, now);
    copies.move(copy, flow, now);
    copy.leftSources.add(before.source());
    copy.tellDeadline(copy.need.deadline());
    log.decided(copy, Outcome.REROUTED, "to " + flow.source());
    return new Command.Start(flow, copy.need, rate, Optional.of(before), copy.confirmed, launched);
  }

  /** Its daemon was not told of the last move: it goes on with the flow that it had. */
  void moveBack(PlannedCopy copy, PrefetchFlow before, long now) {
    release(copy, now);
    copies.move(copy, before, now);
    if (copy.state == State.READING) {
      read(copy, now);
    } else {
      // At which rate is told anew.
      tell(copy, STANDING, STANDING, now);
    }
  }

  /** See {@link #start}. */
  void pace(PlannedCopy copy, long rate, long guarantee, long now, List<Command> commands) {
    tell(copy, rate, guarantee, now);
    copy.tellDeadline(copy.keptUntil());
    commands.add(pace(copy, rate));
  }

  /** Its deadline has moved, or it is ahead or behind; its daemon was told of a rate that holds. */
  void guarantee(PlannedCopy copy, long guarantee) {
    if (PlannedCopy.isNews(guarantee, network.rate(copy.flow))) {
      network.allot(copy.flow, guarantee);
    }
  }

  private static Command pace(PlannedCopy copy, long rate) {
    boolean launched = copy.state == State.READING;
    return new Command.Pace(copy.flow, rate, copy.keptUntil(), launched);
  }

  /**
   * If its reader comes later than its daemon was told, that has to keep it for so long.
   *
   * @param tell says whether the daemon is told
   */
  void postpone(PlannedCopy copy, Predicate<Command> tell) {
    long rate = copy.state == State.COPYING ? copy.told : Command.UNPACED;
    if (copy.isPostponed() && tell.test(pace(copy, rate))) {
      copy.tellDeadline(copy.keptUntil());
    }
  }

  private void tell(PlannedCopy copy, long rate, long guarantee, long now) {
    copy.tell(rate);
    network.allot(copy.flow, guarantee);
    carries(copy, now);
  }

  private void carries(PlannedCopy copy, long now) {
    traffic.changed(copy.flow, network.path(copy.flow), Math.max(1, copy.rate()), now);
  }

  /** From now on it is as if its reader fetched it without us. */
  void read(PlannedCopy copy, long now, List<Command> commands) {
    release(copy, now);
    read(copy, now);
    copy.tellDeadline(copy.keptUntil());
    commands.add(pace(copy, Command.UNPACED));
  }

  private void read(PlannedCopy copy, long now) {
    copy.read(Math.max(1, new LinkRoom(network).of(copy.flow)), now);
    if (readingCounts) {
      carries(copy, now);
    }
  }

  /** Those that are read while they come, over links that are known. */
  Stream<PlannedCopy> reading(long now) {
    return copies
        .begun()
        .filter(copy -> copy.isBeingRead(now))
        .filter(copy -> network.knows(copy.flow.source()));
  }

  void progress(PlannedCopy copy, long bytes, long now) {
    copy.progress(bytes, now);
    traffic.measured(copy.flow, copy.rate());
  }

  /** Its flow has ended. */
  void end(PlannedCopy copy, State after, long now) {
    release(copy, now);
    copies.end(copy);
    copy.state = after;
    copy.told = 0;
  }

  /** Another copy needs the rate of this flow. */
  void abandon(long flow, PlannedCopy other, long now, List<Command> commands) {
    String reason = "for a block of " + other.need.task();
    copies.of(flow).ifPresent(copy -> cancel(copy, Outcome.ABANDONED, reason, now, commands));
  }

  void cancel(PlannedCopy copy, Outcome outcome, String reason, long now, List<Command> commands) {
    log.decided(copy, outcome, reason);
    commands.add(new Command.Cancel(copy.flow));
    forget(copy, now);
  }

  void forget(PlannedCopy copy, long now) {
    release(copy, now);
    copies.remove(copy);
    copy.state = State.SETTLED;
  }

  private void release(PlannedCopy copy, long now) {
    network.abandon(copy.flow);
    traffic.changed(copy.flow, List.of(), 0, now);
  }

  /** What is allotted to a copy's flow, bytes per second. */
  long guaranteed(PlannedCopy copy) {
    return network.rate(copy.flow);
  }

  /** See {@link LinkTraffic#forgetOld}. */
  void forgetOld(long now) {
    traffic.forgetOld(now);
  }

  /** See {@link LinkTraffic#carried}. */
  long carried(String node, Direction direction, long since, long until) {
    return traffic.carried(node, direction, since, until);
  }
}
