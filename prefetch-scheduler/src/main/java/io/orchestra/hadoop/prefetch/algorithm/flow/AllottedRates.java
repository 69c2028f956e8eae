package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Each prefetch has the rate at which it is just in time, or is refused (FlexFetch, section III-B):
 * CARDINAL says who is abandoned for it. Not safe for concurrent use.
 */
final class AllottedRates implements RateRule {
  private final Allotments network;
  private final Cardinal cardinal;
  private final CopyDesk desk;

  AllottedRates(Allotments network, Cardinal cardinal, CopyDesk desk) {
    this.network = network;
    this.cardinal = cardinal;
    this.desk = desk;
  }

  @Override
  public Map<PlannedCopy, Refusal> apply(
      List<PlannedCopy> queue, long now, List<Command> commands) {
    Map<PlannedCopy, Refusal> refused = new LinkedHashMap<>();
    for (PlannedCopy copy : queue) {
      switch (copy.state) {
        case COPYING -> {
          // One that was not foretold again may have been launched.
          if (copy.missing == 0) {
            adjust(copy, now, commands);
          }
        }
        case WAITING, FAILED -> start(copy, now, commands).ifPresent(why -> refused.put(copy, why));
        case READING, SETTLED -> {
          // It was abandoned meanwhile; the next plan may begin it again.
        }
      }
    }
    return refused;
  }

  private Optional<Refusal> start(PlannedCopy copy, long now, List<Command> commands) {
    OptionalLong required = RequiredRate.of(copy.need.length(), now, copy.need.deadline());
    if (required.isEmpty()) {
      return Optional.of(new Refusal(Outcome.TOO_LATE));
    }
    Optional<PrefetchFlow> flow = source(copy, now);
    if (flow.isEmpty()) {
      return Optional.of(new Refusal(Outcome.NO_REPLICA));
    }
    long rate = required.getAsLong();
    Optional<Link> bottleneck = makeRoom(copy, flow.get(), rate, now, commands);
    if (bottleneck.isPresent()) {
      return Optional.of(new Refusal(Outcome.REFUSED, bottleneck, lack(bottleneck.get(), rate)));
    }
    desk.start(copy, flow.get(), rate, rate, now, commands);
    return Optional.empty();
  }

  private String lack(Link link, long rate) {
    return link.node()
        + ' '
        + link.direction().name().toLowerCase(Locale.ROOT)
        + ": "
        + rate
        + " bytes/s needed, "
        + network.capacity(link)
        + " free, and nobody less critical has enough";
  }

  /**
   * The most critical, so that nobody is started only to be abandoned; of equally critical ones
   * that which is launched first, however soon it is said to read.
   */
  @Override
  public Comparator<PlannedCopy> order(Comparator<PlannedCopy> critical) {
    return critical.thenComparingLong(copy -> copy.need.launch());
  }

  /** From the replica with the fewest links in between; then from where there is the most room. */
  @Override
  public Optional<PrefetchFlow> source(PlannedCopy copy, long now) {
    return desk.flows(copy, now).stream()
        .min(
            Comparator.<PrefetchFlow>comparingInt(flow -> network.path(flow).size())
                .thenComparingLong(flow -> -most(flow, 0))
                .thenComparing(PrefetchFlow::source));
  }

  /** Its rate is another's. */
  @Override
  public int patience() {
    return 0;
  }

  /**
   * A deadline has moved, or the copy is ahead or behind: what is left is spread over the time. One
   * that is hardly behind is helped at a later plan, when it is more of what is left. Past the
   * deadline it goes on as it is, and takes from nobody what is lost already.
   */
  private void adjust(PlannedCopy copy, long now, List<Command> commands) {
    OptionalLong required = RequiredRate.of(copy.remaining(), now, copy.need.deadline());
    if (required.isEmpty() || !copy.isNews(required.getAsLong())) {
      return;
    }
    long rate = required.getAsLong();
    if (rate > copy.told
        && makeRoom(copy, copy.flow, rate - copy.told, now, commands).isPresent()) {
      rate = Math.min(rate, most(copy.flow, copy.told));
    }
    if (rate > 0 && copy.isNews(rate)) {
      desk.pace(copy, rate, rate, now, commands);
    }
  }

  /** Returns the link that has no room, if so. */
  private Optional<Link> makeRoom(
      PlannedCopy copy, PrefetchFlow flow, long rate, long now, List<Command> commands) {
    Cardinal.Decision decision = cardinal.decide(flow, rate);
    for (PrefetchFlow victim : decision.victims()) {
      desk.abandon(victim.id(), copy, now, commands);
    }
    return decision.bottleneck();
  }

  /**
   * @param own rate that the flow has already
   */
  private long most(PrefetchFlow flow, long own) {
    return network.path(flow).stream()
        .mapToLong(link -> network.capacity(link) + own)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
