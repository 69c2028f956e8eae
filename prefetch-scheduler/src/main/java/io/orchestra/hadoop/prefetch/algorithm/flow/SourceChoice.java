package io.orchestra.hadoop.prefetch.algorithm.flow;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * From which replica a block is brought: the nearest of those that would give it first. A queue at
 * a source costs more than a switch on the way. Not safe for concurrent use.
 */
final class SourceChoice {
  /** By so much later may a block come from a replica that is nearer. */
  private static final double NEARLY = 1.1;

  private final NetworkController network;
  private final CopyTable copies;

  SourceChoice(NetworkController network, CopyTable copies) {
    this.network = network;
    this.copies = copies;
  }

  /**
   * @param id of the new flow
   * @param failed sources that are not tried again
   * @return empty if no other source is known to the network, or the target is not
   */
  Optional<PrefetchFlow> choose(long id, PrefetchNeed need, Set<String> failed) {
    LinkRoom room = new LinkRoom(network);
    Map<PrefetchFlow, Double> seconds = new LinkedHashMap<>();
    need.replicas().stream()
        .filter(source -> !failed.contains(source))
        .filter(network::knows)
        .filter(source -> network.knows(need.target()))
        .map(source -> new PrefetchFlow(id, need.job(), source, need.target()))
        .forEach(flow -> seconds.put(flow, seconds(flow, need.length(), room)));
    double least = seconds.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    return seconds.keySet().stream()
        .filter(flow -> seconds.get(flow) <= least * NEARLY)
        .min(
            Comparator.<PrefetchFlow>comparingInt(flow -> network.path(flow).size())
                .thenComparingDouble(seconds::get)
                .thenComparing(PrefetchFlow::source));
  }

  /** Until the slowest of its links has brought what it owes already, and this. */
  private double seconds(PrefetchFlow flow, long length, LinkRoom room) {
    return network.path(flow).stream()
        .mapToDouble(link -> (copies.waiting(link) + length) / (double) Math.max(1, room.of(link)))
        .max()
        .orElse(0);
  }
}
