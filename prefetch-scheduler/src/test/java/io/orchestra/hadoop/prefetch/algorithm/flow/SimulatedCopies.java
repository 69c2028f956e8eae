package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Pace;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Start;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Copies that go as a planner says, on links that carry no more than they can. */
final class SimulatedCopies {
  private static final double SECOND = 1e9;

  /** Of a byte: rates are no whole numbers. */
  private static final double NOTHING = 1e-6;

  private static final class Copy {
    private final PrefetchNeed need;
    private long told;
    private double left;

    private Copy(Start start) {
      need = start.need();
      told = start.rate();
      left = need.length();
    }
  }

  private final NetworkTree network;
  private final PrefetchPlanner planner;
  private final Map<PrefetchFlow, Copy> copies = new LinkedHashMap<>();
  private final Set<PrefetchNeed> arrived = new HashSet<>();

  SimulatedCopies(NetworkTree network, PrefetchPlanner planner) {
    this.network = network;
    this.planner = planner;
  }

  /**
   * Of needs that are all foretold at once, those that come in time.
   *
   * @param deadline nanoseconds
   */
  Set<PrefetchNeed> arrived(List<PrefetchNeed> needs, long deadline) {
    obey(planner.plan(needs, 0));
    long now = 0;
    while (now < deadline && !copies.isEmpty()) {
      Map<PrefetchFlow, Double> rates = rates();
      long step = Math.min(deadline - now, untilNextEnd(rates));
      now += step;
      goOn(rates, step, now);
      obey(planner.pace(now));
    }
    return arrived;
  }

  private void obey(List<Command> commands) {
    for (Command command : commands) {
      if (command instanceof Start start) {
        copies.put(start.flow(), new Copy(start));
      } else if (command instanceof Pace pace) {
        copies.get(pace.flow()).told = pace.rate();
      } else {
        copies.remove(command.flow());
      }
    }
  }

  /** Where more was told than a link has, all who share it have less. */
  private Map<PrefetchFlow, Double> rates() {
    Map<Link, Double> told = new HashMap<>();
    copies.forEach(
        (flow, copy) ->
            path(flow).forEach(link -> told.merge(link, (double) copy.told, Double::sum)));
    Map<PrefetchFlow, Double> rates = new HashMap<>();
    copies.forEach(
        (flow, copy) -> {
          double share =
              path(flow).stream()
                  .mapToDouble(link -> Math.min(1, link.capacity() / told.get(link)))
                  .min()
                  .orElse(1);
          rates.put(flow, copy.told * share);
        });
    return rates;
  }

  private List<Link> path(PrefetchFlow flow) {
    return network.path(flow.source(), flow.target());
  }

  private long untilNextEnd(Map<PrefetchFlow, Double> rates) {
    double seconds =
        copies.entrySet().stream()
            .mapToDouble(entry -> entry.getValue().left / rates.get(entry.getKey()))
            .min()
            .orElseThrow();
    return (long) Math.ceil(seconds * SECOND);
  }

  private void goOn(Map<PrefetchFlow, Double> rates, long step, long now) {
    for (PrefetchFlow flow : List.copyOf(copies.keySet())) {
      Copy copy = copies.get(flow);
      copy.left -= rates.get(flow) * step / SECOND;
      planner.progress(flow.id(), (long) (copy.need.length() - copy.left), now);
      if (copy.left < NOTHING) {
        copies.remove(flow);
        arrived.add(copy.need);
        planner.ended(flow.id(), End.ARRIVED, now);
      }
    }
  }
}
