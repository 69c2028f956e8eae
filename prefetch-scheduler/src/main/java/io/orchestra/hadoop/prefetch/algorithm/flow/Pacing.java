package io.orchestra.hadoop.prefetch.algorithm.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Which rates daemons are told: what their flows were allotted, or all that links have for
 * prefetches, the next deadline first. Not safe for concurrent use.
 */
final class Pacing {
  /** A tenth: changes of a rate below it, and rates below it, are not worth a message. */
  private static final int LEAST_SHARE = 10;

  private final NetworkController network;
  private final CopyTable copies;
  private final ToLongFunction<String> residual;
  private final boolean spare;

  /**
   * @param residual number of tasks of a job that are not completed
   * @param spare whether what links have left over is given to prefetches
   */
  Pacing(
      NetworkController network, CopyTable copies, ToLongFunction<String> residual, boolean spare) {
    this.network = network;
    this.copies = copies;
    this.residual = residual;
    this.spare = spare;
  }

  /**
   * Tells the daemons of all copies on their way of other rates, and those of new ones to begin.
   * One that was allotted a rate may wait for its turn.
   *
   * @param commands to which these are added
   * @return copies that get too little to begin, and were allotted nothing, or wait for too long
   */
  List<PlannedCopy> pace(long now, List<Command> commands) {
    List<PlannedCopy> refused = new ArrayList<>();
    LinkRoom room = new LinkRoom(network);
    for (PlannedCopy copy : byDeadline()) {
      long allotted = network.rate(copy.flow);
      long rate = spare ? room.of(copy.flow) : allotted;
      if (copy.isStarted()) {
        room.take(copy.flow, rate);
        repace(copy, rate, commands);
      } else if (rate >= leastUseful(copy, now)) {
        room.take(copy.flow, rate);
        copies.tell(copy, rate);
        commands.add(new Command.Start(copy.flow, copy.need, rate));
      } else if (allotted == 0 || copy.need.deadline() - now <= 0) {
        refused.add(copy);
      }
    }
    return refused;
  }

  /** Without any rate it stands nearly still, and keeps what has come. */
  private void repace(PlannedCopy copy, long wanted, List<Command> commands) {
    long rate = Math.max(1, wanted);
    if (isOtherThan(copy.told, rate)) {
      copies.tell(copy, rate);
      commands.add(new Command.Pace(copy.flow, rate));
    }
  }

  private List<PlannedCopy> byDeadline() {
    return copies
        .copying()
        .sorted(
            Comparator.<PlannedCopy>comparingLong(copy -> copy.need.deadline())
                .thenComparingLong(copy -> residual.applyAsLong(copy.need.job()))
                .thenComparingLong(copy -> copy.flow.id()))
        .toList();
  }

  /** With less than this too little of a block would come in time: not worth a connection. */
  private static long leastUseful(PlannedCopy copy, long now) {
    OptionalLong required = RequiredRate.of(copy.need.length(), now, copy.need.deadline());
    return required.isEmpty() ? Long.MAX_VALUE : Math.max(1, required.getAsLong() / LEAST_SHARE);
  }

  /** What is just enough is told to the byte. */
  private boolean isOtherThan(long told, long rate) {
    return spare ? Math.abs(rate - told) > told / LEAST_SHARE : rate != told;
  }
}
