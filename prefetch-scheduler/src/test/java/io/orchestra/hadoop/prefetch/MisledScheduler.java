package io.orchestra.hadoop.prefetch;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import java.util.Comparator;
import java.util.List;

/**
 * Ours, but that each launch is foretold on a host where it does not come: of all others that on
 * which launches are farthest from it in time, so that it does not come there by chance. It decides
 * as the Fair Scheduler does.
 */
public final class MisledScheduler extends FlexFetchScheduler {
  @Override
  List<Prediction> believed(List<Prediction> foretold) {
    List<String> hosts =
        getNodeTracker().getAllNodes().stream()
            .map(node -> node.getNodeID().getHost())
            .distinct()
            .sorted()
            .toList();
    return elsewhere(foretold, hosts);
  }

  /** Predictions of the same launches at the same times, on others of these hosts. */
  static List<Prediction> elsewhere(List<Prediction> foretold, List<String> hosts) {
    return foretold.stream()
        .map(
            launch ->
                new Prediction(
                    farthest(launch, foretold, hosts),
                    launch.nanos(),
                    launch.app(),
                    launch.task(),
                    Locality.OFF_SWITCH))
        .toList();
  }

  private static String farthest(Prediction launch, List<Prediction> all, List<String> hosts) {
    return hosts.stream()
        .filter(host -> !host.equals(launch.node()))
        .max(Comparator.comparingLong(host -> nanosToNearest(launch, all, host)))
        .orElse(launch.node());
  }

  private static long nanosToNearest(Prediction launch, List<Prediction> all, String host) {
    return all.stream()
        .filter(other -> other.node().equals(host))
        .mapToLong(other -> Math.abs(other.nanos() - launch.nanos()))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
