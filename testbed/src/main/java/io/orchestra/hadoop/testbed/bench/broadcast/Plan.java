package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import java.time.Duration;
import java.util.List;

/**
 * One experiment with files that receivers read: a cell, and the ways that are compared in it.
 *
 * @param ways one for each arm
 */
record Plan(Cell cell, List<Way> ways) {
  /** Another overlay, an empty directory, figures of all hosts twice, and what comes between. */
  private static final Duration AROUND_TRIAL = Duration.ofSeconds(8);

  Plan {
    ways = List.copyOf(ways);
  }

  Experiment experiment(BroadcastTestbed testbed) {
    String racks = ways.contains(Way.CORNET_INFERRED) ? " " + testbed.teachRacks(cell) : "";
    List<Arm> arms = ways.stream().map(way -> broadcast(testbed, way).arm(way)).toList();
    return Experiment.of(
            cell.name(),
            description() + racks,
            testbed
                .links()
                .of(cell, testbed.bench().workers(), testbed.bench().cluster().plan().rackNames()),
            arms)
        .withWarmUps(0);
  }

  private String description() {
    String text =
        "%d MB to %d receivers, links of %s."
            .formatted(cell.megabytes(), cell.receivers(), cell.hostRate());
    return cell.oversubscribed()
        ? text + " The uplink of a rack is as slow as the link of one host."
        : text;
  }

  private Broadcast broadcast(BroadcastTestbed testbed, Way way) {
    return switch (way) {
      case BOUND -> new ComputedBroadcast(cell.bound());
      case BITTORRENT -> new BitTorrentBroadcast(testbed, cell);
      default -> new HdfsBroadcast(testbed, cell, way);
    };
  }

  /** About the time for so many repetitions. */
  Duration time(int repetitions) {
    return ways.stream()
        .filter(way -> way != Way.BOUND)
        .map(way -> AROUND_TRIAL.plus(seconds(cell.linkSeconds() * way.expected(cell.receivers()))))
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(repetitions);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
