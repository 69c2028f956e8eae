package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.collect.ImmutableSortedMap;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is run: on how many hosts, and which cells with which ways.
 *
 * @param hostsPerRack so many that all receivers find replicas on other hosts
 */
record Plans(int hostsPerRack, List<Plan> plans) {
  static final int RACKS = 3;

  /** By the least number of receivers. */
  private static final NavigableMap<Integer, Rate> RATES =
      ImmutableSortedMap.of(
          1, Rate.parse("50mbit"),
          4, Rate.parse("30mbit"),
          8, Rate.parse("16mbit"),
          12, Rate.parse("10mbit"),
          16, Rate.parse("6mbit"));

  static final Cell LARGE = Cell.of(40, 12, rate(12));
  static final Cell MANY = Cell.of(40, 20, rate(20));
  static final Cell OVERSUBSCRIBED = new Cell(1, 40, 12, rate(12), true);

  /**
   * As when containers of several jobs start on the same hosts; more swarms take more processors.
   */
  static final Cell SEVERAL = new Cell(3, 20, 6, rate(12), false);

  /** In which something goes wrong. */
  static final Cell DISTURBED = Cell.of(40, 4, rate(4));

  private static final List<Integer> RECEIVERS = List.of(1, 2, 4, 8, 12, 20);
  static final List<Integer> MEGABYTES = List.of(10, 40);
  private static final Cell LONG = Cell.of(100, 12, rate(12));

  /** Up to about the smallest that a swarm is for where nobody changes a setting (8 MiB). */
  private static final List<Integer> SMALL_MEGABYTES = List.of(2, 4, 9);

  private static final int LEAST_MEGABYTES = 9;

  private static final List<Integer> COUNTS_FOR_SMALL = List.of(1, 4);

  private static final int FEW = 4;

  /** Links that do not hold programs up that do things for the first time. */
  static final Cell WARM_UP = Cell.of(9, RACKS, Rate.parse("1gbit"));

  private static final Duration START = Duration.ofSeconds(90);

  Plans {
    plans = List.copyOf(plans);
  }

  static Plans of(BenchOptions options, boolean bitTorrent) {
    if (options.quick()) {
      return new Plans(
          6,
          List.of(
              plan(LARGE, bitTorrent, Way.STOCK, Way.CORNET_TOPOLOGY, Way.BITTORRENT, Way.BOUND)));
    }
    List<Plan> plans = new ArrayList<>();
    for (Cell cell : cells()) {
      plans.add(plan(cell, bitTorrent, ways(cell)));
    }
    plans.add(
        plan(
            OVERSUBSCRIBED,
            bitTorrent,
            Way.STOCK,
            Way.STOCK_DEFAULT,
            Way.CORNET,
            Way.CORNET_TOPOLOGY,
            Way.CORNET_INFERRED,
            Way.BITTORRENT));
    plans.add(
        plan(SEVERAL, bitTorrent, Way.STOCK_DEFAULT, Way.CORNET_TOGETHER, Way.CORNET_TOPOLOGY));
    for (Cell cell : smallCells()) {
      plans.add(plan(cell, bitTorrent, Way.STOCK_DEFAULT, Way.CORNET_TOPOLOGY));
    }
    for (Cell cell : cellsWithTenReplicas()) {
      plans.add(plan(cell, bitTorrent, Way.STOCK_DEFAULT, Way.CORNET_DEFAULT));
    }
    for (Fault fault : Fault.values()) {
      plans.add(new Plan(DISTURBED, Optional.of(fault), List.of(Way.STOCK, Way.CORNET_TOPOLOGY)));
    }
    return new Plans(10, plans);
  }

  /** The same with those that are to be run. */
  Plans wanted(BenchOptions options) {
    return new Plans(
        hostsPerRack, plans.stream().filter(plan -> options.runs(plan.name())).toList());
  }

  /** All where that can be had in time; elsewhere what decides whether a swarm is worth it. */
  private static Way[] ways(Cell cell) {
    if (cell.equals(LONG) || cell.receivers() == 1) {
      return new Way[] {Way.STOCK_DEFAULT, Way.CORNET_TOPOLOGY, Way.BOUND};
    }
    if (cell.megabytes() < LARGE.megabytes()) {
      return new Way[] {Way.STOCK_DEFAULT, Way.CHAIN, Way.CORNET_TOPOLOGY, Way.BOUND};
    }
    if (cell.equals(MANY)) {
      return new Way[] {Way.STOCK, Way.STOCK_DEFAULT, Way.CHAIN, Way.CORNET_TOPOLOGY, Way.BOUND};
    }
    return new Way[] {
      Way.STOCK,
      Way.STOCK_DEFAULT,
      Way.CHAIN,
      Way.TREE,
      Way.CORNET,
      Way.CORNET_TOPOLOGY,
      Way.BITTORRENT,
      Way.BOUND
    };
  }

  private static Plan plan(Cell cell, boolean bitTorrent, Way... ways) {
    return new Plan(
        cell,
        Optional.empty(),
        Arrays.stream(ways).filter(way -> bitTorrent || way != Way.BITTORRENT).toList());
  }

  /** All sizes and counts, with uplinks that do not matter; the most important ones first. */
  static List<Cell> cells() {
    return Stream.concat(Stream.of(LARGE, MANY, LONG), cells(MEGABYTES, RECEIVERS))
        .distinct()
        .toList();
  }

  private static Stream<Cell> cells(List<Integer> sizes, List<Integer> counts) {
    return sizes.stream()
        .flatMap(size -> counts.stream().map(count -> Cell.of(size, count, rate(count))));
  }

  /**
   * Where stock with ten replicas is as fast as links are, so that Cornet with three cannot be
   * faster: what switching the plugin on costs if nothing else is changed.
   */
  static List<Cell> cellsWithTenReplicas() {
    return cells(MEGABYTES, COUNTS_FOR_SMALL).toList();
  }

  /** Where a swarm begins to be worth it. */
  private static List<Cell> smallCells() {
    return cells(SMALL_MEGABYTES, COUNTS_FOR_SMALL).toList();
  }

  /** The smallest files for which there is a swarm where nobody changes a setting. */
  static List<Cell> leastCells() {
    return smallCells().stream().filter(cell -> cell.megabytes() == LEAST_MEGABYTES).toList();
  }

  /** Cells in which a chain might be as good as a swarm. */
  static List<Cell> cellsOfFew() {
    return cells().stream()
        .filter(cell -> cell.receivers() > 1 && cell.receivers() <= FEW)
        .toList();
  }

  /**
   * The rate of hosts' links: as fast as this machine moves what so many receivers want together
   * and still has time left.
   */
  static Rate rate(int receivers) {
    return RATES.floorEntry(receivers).getValue();
  }

  /** About how long it takes, without repetitions for undecided targets. */
  Duration time(int repetitions) {
    return plans.stream().map(plan -> plan.time(repetitions)).reduce(START, Duration::plus);
  }
}
