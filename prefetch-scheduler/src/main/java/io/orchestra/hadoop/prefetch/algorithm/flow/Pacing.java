package io.orchestra.hadoop.prefetch.algorithm.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Which rates daemons are told: what their flows were allotted, and what links have left beside
 * that, the next deadline first. What would get neither is not started. Not safe for concurrent
 * use.
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
   *
   * @param commands to which these are added
   * @return copies that get too little to begin
   */
  List<PlannedCopy> pace(long now, List<Command> commands) {
    List<PlannedCopy> refused = new ArrayList<>();
    SpareRates left = new SpareRates(network);
    for (PlannedCopy copy : byDeadline()) {
      long extra = spare ? left.of(copy.flow) : 0;
      if (copy.told > 0 && copy.need.deadline() - now <= 0) {
        // Past its deadline it goes on as it is, as long as nobody else needs that.
        extra = Math.min(extra, Math.max(0, copy.told - network.rate(copy.flow)));
      }
      long rate = network.rate(copy.flow) + extra;
      if (copy.told == 0 && rate < leastUseful(copy, now)) {
        refused.add(copy);
        continue;
      }
      left.take(copy.flow, extra);
      if (copy.told == 0) {
        copies.tell(copy, rate);
        commands.add(new Command.Start(copy.flow, copy.need, rate));
      } else if (isOtherThan(copy.told, rate, network.rate(copy.flow))) {
        // Without any it stands nearly still, and keeps what has come.
        copies.tell(copy, Math.max(1, rate));
        commands.add(new Command.Pace(copy.flow, copy.told));
      }
    }
    return refused;
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

  /** Less than this of a block would come in time: not worth a connection. */
  private static long leastUseful(PlannedCopy copy, long now) {
    OptionalLong required = RequiredRate.of(copy.need.length(), now, copy.need.deadline());
    return required.isEmpty() ? 1 : Math.max(1, required.getAsLong() / LEAST_SHARE);
  }

  /** A daemon need not hear of a little more or less, but of what would make it late. */
  private boolean isOtherThan(long told, long rate, long allotted) {
    return spare ? told < allotted || Math.abs(rate - told) > told / LEAST_SHARE : rate != told;
  }
}
