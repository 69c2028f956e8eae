package io.orchestra.hadoop.testbed.bench.broadcast;

import static com.google.common.base.Preconditions.checkArgument;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.cluster.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One experiment with files that receivers read: a cell, and the ways that are compared in it.
 *
 * @param fault what goes wrong in each trial, if anything
 * @param ways one for each arm
 */
record Plan(Cell cell, Optional<Fault> fault, List<Way> ways) {
  /** Another overlay, an empty directory, figures of all hosts twice, and what comes between. */
  private static final Duration AROUND_TRIAL = Duration.ofSeconds(8);

  /** When something goes wrong, as a part of what a link needs for the file. */
  private static final double FAULT_PART = 0.4;

  /** What is waited for because of a fault, and until it is forgotten. */
  private static final Duration MENDING = Duration.ofSeconds(30);

  Plan {
    ways = List.copyOf(ways);
    checkArgument(
        cell.files() == 1 || !(ways.contains(Way.BOUND) || ways.contains(Way.BITTORRENT)),
        "%s knows one file only",
        ways);
  }

  Experiment experiment(BroadcastTestbed testbed) {
    String racks = ways.contains(Way.CORNET_INFERRED) ? " " + testbed.teachRacks(cell) : "";
    List<Arm> arms = ways.stream().map(way -> broadcast(testbed, way).arm(way)).toList();
    Links links =
        testbed
            .links()
            .of(cell, testbed.bench().workers(), testbed.bench().cluster().plan().rackNames());
    Experiment experiment =
        fault.isEmpty()
            ? Experiment.of(name(), description() + racks, links, arms)
            : Experiment.withoutBusyLink(
                name(), description(), "what is wrong may keep it idle", Optional.of(links), arms);
    return experiment.withWarmUps(0);
  }

  /** The name of its experiment. */
  String name() {
    return ways.contains(Way.CORNET_DEFAULT) ? nameWithTenReplicas(cell) : name(cell, fault);
  }

  /** Of a cell in which the plugin has as many replicas as stock has by default. */
  static String nameWithTenReplicas(Cell cell) {
    return cell.name() + "-ten-replicas";
  }

  static String name(Cell cell, Optional<Fault> fault) {
    return cell.name() + fault.map(wrong -> "-" + wrong.title()).orElse("");
  }

  private String description() {
    String text =
        "%d MB to %d receivers, links of %s."
            .formatted(cell.megabytes(), cell.receivers(), cell.hostRate());
    if (cell.files() > 1) {
      text =
          "%d files at the same time, each of ".formatted(cell.files())
              + text
              + " The mean is over files and receivers.";
    }
    if (cell.oversubscribed()) {
      text += " The uplink of a rack is as slow as the link of one host.";
    }
    if (ways.contains(Way.CORNET_DEFAULT)) {
      text += " Ten replicas with and without the plugin.";
    }
    return text + fault.map(wrong -> " In the middle, %s.".formatted(wrong.text())).orElse("");
  }

  private Broadcast broadcast(BroadcastTestbed testbed, Way way) {
    return switch (way) {
      case BOUND -> new ComputedBroadcast(cell.bound());
      case BITTORRENT -> new BitTorrentBroadcast(testbed, cell);
      default -> {
        Broadcast reading = new HdfsBroadcast(testbed, cell, way, fault.isPresent());
        yield fault.isEmpty()
            ? reading
            : new FaultyBroadcast(reading, disturbance(testbed, way, fault.get()));
      }
    };
  }

  private FaultyBroadcast.Disturbance disturbance(BroadcastTestbed testbed, Way way, Fault wrong) {
    Faults faults = testbed.bench().running().faults();
    return new FaultyBroadcast.Disturbance(
        wrong.text(),
        () -> wrong.begin(faults, testbed.cast()),
        () -> wrong.end(faults, testbed.cast()),
        seconds(FAULT_PART * cell.linkSeconds()),
        way.isOurs() ? wrong.recovery() : Duration.ZERO);
  }

  /** About the time for so many repetitions. */
  Duration time(int repetitions) {
    return ways.stream()
        .filter(way -> way != Way.BOUND)
        .map(
            way ->
                AROUND_TRIAL
                    .plus(fault.isEmpty() ? Duration.ZERO : MENDING)
                    .plus(seconds(cell.linkSeconds() * way.expected(cell.receivers()))))
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(repetitions);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
