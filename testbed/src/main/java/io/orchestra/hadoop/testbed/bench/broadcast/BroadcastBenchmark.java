package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.ArmFigure;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Formula;
import io.orchestra.hadoop.testbed.bench.Growth;
import io.orchestra.hadoop.testbed.bench.RatioKey;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Cornet beside stock HDFS, simpler overlays, BitTorrent and the bound. */
public final class BroadcastBenchmark implements Benchmark {
  private static final String LOCALIZATION = "localization";

  /**
   * Hosts, and thus tasks and the application's master, and about how long a job with them takes.
   */
  private static final int LOCALIZATION_HOSTS_PER_RACK = 6;

  private static final Cell LOCALIZED =
      Cell.of(40, Plans.RACKS * LOCALIZATION_HOSTS_PER_RACK - 1, Plans.rate(12));
  private static final Duration LOCALIZATION_START = Duration.ofSeconds(120);
  private static final Duration JOB = Duration.ofSeconds(130);

  /** What a cluster has that installs the plugin and changes nothing. */
  private static final Way OURS = Way.CORNET_TOPOLOGY;

  private static final List<Way> LOCALIZATION_WAYS = List.of(Way.STOCK_DEFAULT, OURS);

  private final Optional<String> noBitTorrent;

  public BroadcastBenchmark() {
    this(BitTorrent.missing());
  }

  /**
   * @param noBitTorrent why BitTorrent cannot be measured here, unless it can
   */
  BroadcastBenchmark(Optional<String> noBitTorrent) {
    this.noBitTorrent = noBitTorrent;
  }

  @Override
  public String name() {
    return "broadcast";
  }

  @Override
  public String question() {
    return "How much sooner does the last of many hosts have a file when they pass it on to each other?";
  }

  @Override
  public List<RatioKey> ratios() {
    RatioKey bitTorrent =
        speedup(
                "versusBitTorrent12",
                "40 MB to 12, BitTorrent / Cornet",
                Plans.LARGE,
                Way.BITTORRENT,
                OURS)
            .alsoQuick()
            .inPaper(4.5, "BitTornado, figure 7")
            .targetAtLeast(1);
    return List.of(
        speedup(
                "lastReceiverSpeedup12",
                "40 MB to 12, stock with R = 3 / Cornet",
                Plans.LARGE,
                Way.STOCK,
                OURS)
            .alsoQuick()
            .inPaper(4.5, "1 GB to 100, figure 7")
            .targetAtLeast(4.5),
        speedup(
                "lastReceiverVsBound12",
                "40 MB to 12, Cornet / bound",
                Plans.LARGE,
                OURS,
                Way.BOUND)
            .alsoQuick()
            .inPaper(1.33, "1 GB to 100, section 7.2")
            .targetAtMost(1.15),
        noBitTorrent.map(bitTorrent::leftOut).orElse(bitTorrent),
        speedup(
                "lastReceiverSpeedup20",
                "40 MB to 20, stock with R = 3 / Cornet",
                Plans.MANY,
                Way.STOCK,
                OURS)
            .targetAtLeast(4.5),
        speedup(
                "lastReceiverSpeedupStockDefault20",
                "40 MB to 20, stock with R = 10 / Cornet",
                Plans.MANY,
                Way.STOCK_DEFAULT,
                OURS)
            .targetAtLeast(1),
        speedup("lastReceiverVsBound20", "40 MB to 20, Cornet / bound", Plans.MANY, OURS, Way.BOUND)
            .targetAtMost(1.15),
        smallest(
                "worstSpeedup",
                "stock with R = 10 / Cornet, smallest over sizes and numbers of receivers",
                Plans.cells(),
                Way.STOCK_DEFAULT)
            .targetAtLeast(1),
        RatioKey.smallest(
                "sameReplicasSpeedup",
                "to 1 and to 4, where stock is as fast as links are: stock with R = 10 / Cornet with R = 10, smallest",
                Plans.cellsWithTenReplicas().stream()
                    .map(
                        cell ->
                            Formula.PairedRatio.of(
                                Plan.nameWithTenReplicas(cell),
                                Reception.LAST,
                                Way.STOCK_DEFAULT.title(),
                                Way.CORNET_DEFAULT.title()))
                    .toList())
            .targetAtLeast(1),
        smallest(
                "smallFileSpeedup",
                "9 MB, the least that are not left to HDFS, to 1 and to 4: stock with R = 10 / Cornet",
                Plans.leastCells(),
                Way.STOCK_DEFAULT)
            .targetAtLeast(1),
        smallest(
            "chainForFew",
            "chain / Cornet, smallest over sizes for 2 and 4 receivers",
            Plans.cellsOfFew(),
            Way.CHAIN),
        ofSeveral(
            "severalFilesSpeedup",
            "3 files of 20 MB at the same time to 6, mean of all, stock with R = 10 / Cornet",
            Reception.MEAN,
            Way.STOCK_DEFAULT),
        ofSeveral(
                "turnsSpeedup",
                "the same, Cornet with files together / one first; with equal files 1.5 at most",
                Reception.MEAN,
                Way.CORNET_TOGETHER)
            .targetAtLeast(1.25),
        ofSeveral(
                "turnsSpeedupOfLast",
                "the same, when the last receiver has the last file",
                Reception.LAST,
                Way.CORNET_TOGETHER)
            .targetAtLeast(0.95),
        RatioKey.smallest(
                "secondsSoonerInFaults",
                "seconds that the last of 4 has 40 MB sooner than from stock with R = 3 when something goes wrong, smallest over faults; below zero is later",
                Arrays.stream(Fault.values())
                    .map(
                        fault ->
                            new Formula.PairedDifference(
                                Plan.name(Plans.DISTURBED, Optional.of(fault)),
                                new ArmFigure(Way.STOCK.title(), Reception.LAST),
                                new ArmFigure(OURS.title(), Reception.LAST)))
                    .toList())
            .targetAtLeast(-BroadcastTestbed.STALL_TIMEOUT_SECONDS),
        RatioKey.ratio(
                "localizationSpeedup",
                "slowest localization of a job's archive, stock / Cornet, both with R = 10",
                LOCALIZATION,
                JobBroadcast.SLOWEST,
                Way.STOCK_DEFAULT.title(),
                OURS.title())
            .targetAtLeast(1),
        speedup(
            "oversubscribedSpeedup12",
            "40 MB to 12, uplinks of racks as slow as links of hosts, stock with R = 3 / Cornet",
            Plans.OVERSUBSCRIBED,
            Way.STOCK,
            OURS),
        speedup(
                "topologySpeedup12",
                "the same, Cornet without / with topology",
                Plans.OVERSUBSCRIBED,
                Way.CORNET,
                OURS)
            .inPaper(2, "up to, section 7.3"),
        speedup(
            "inferredTopologySpeedup12",
            "the same, Cornet without / with inferred topology",
            Plans.OVERSUBSCRIBED,
            Way.CORNET,
            Way.CORNET_INFERRED));
  }

  private static RatioKey smallest(String key, String meaning, List<Cell> cells, Way way) {
    return RatioKey.smallest(
        key,
        meaning,
        cells.stream()
            .map(
                cell ->
                    Formula.PairedRatio.of(cell.name(), Reception.LAST, way.title(), OURS.title()))
            .toList());
  }

  private static RatioKey ofSeveral(String key, String meaning, String figure, Way way) {
    return RatioKey.ratio(key, meaning, Plans.SEVERAL.name(), figure, way.title(), OURS.title());
  }

  private static RatioKey speedup(String key, String meaning, Cell cell, Way way, Way byWay) {
    return RatioKey.ratio(key, meaning, cell.name(), Reception.LAST, way.title(), byWay.title());
  }

  @Override
  public List<Growth> growths() {
    return Plans.MEGABYTES.stream()
        .map(
            size ->
                new Growth(
                    "when the last receiver has %d MB".formatted(size),
                    "receivers",
                    Reception.TO_LINK,
                    Plans.cells().stream()
                        .filter(cell -> cell.megabytes() == size)
                        .collect(Collectors.toMap(Cell::name, Cell::receivers))))
        .toList();
  }

  @Override
  public List<String> experiments(BenchOptions options) {
    Stream<String> read = plans(options).plans().stream().map(Plan::name);
    return Stream.concat(read, options.quick() ? Stream.empty() : Stream.of(LOCALIZATION)).toList();
  }

  @Override
  public Map<String, String> describe(BenchOptions options) {
    Plans plans = plans(options).wanted(options);
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "cluster",
        "%d racks of %d DataNodes; links of %s"
            .formatted(
                Plans.RACKS,
                plans.hostsPerRack(),
                plans.plans().stream()
                    .map(Plan::cell)
                    .collect(
                        Collectors.groupingBy(
                            cell -> cell.hostRate().toString(),
                            LinkedHashMap::new,
                            Collectors.mapping(
                                Cell::receivers, Collectors.toCollection(TreeSet::new))))
                    .entrySet()
                    .stream()
                    .map(rate -> rate.getKey() + " for " + counts(rate.getValue()))
                    .collect(Collectors.joining(", "))));
    lines.put(
        "uplinks", "of a rack as fast as ten hosts, and as one host where they are oversubscribed");
    lines.put(
        "files",
        "one block, new in each trial; replicas (3 for Cornet) on hosts that do not receive, in memory");
    lines.put(
        "receivers",
        "warm HDFS clients that begin together and write what they read to a local file");
    noBitTorrent.ifPresent(why -> lines.put("left out", why));
    lines.put("time", estimate(options, plans));
    return lines;
  }

  private static String counts(Collection<Integer> receivers) {
    return receivers.stream().map(Object::toString).collect(Collectors.joining(", "))
        + " receivers";
  }

  private static String estimate(BenchOptions options, Plans plans) {
    Duration time = plans.time(options.repetitions());
    if (localizes(options)) {
      time =
          time.plus(LOCALIZATION_START)
              .plus(
                  JOB.multipliedBy((long) LOCALIZATION_WAYS.size() * (options.repetitions() + 1)));
    }
    return options.estimate(time);
  }

  private Plans plans(BenchOptions options) {
    return Plans.of(options, noBitTorrent.isEmpty());
  }

  @Override
  public void run(BenchRun run) {
    noBitTorrent.ifPresent(why -> run.progress().say("left out: " + why));
    Plans plans = plans(run.options()).wanted(run.options());
    if (!plans.plans().isEmpty()) {
      read(run, plans);
    }
    if (localizes(run.options())) {
      localize(run);
    }
  }

  private static boolean localizes(BenchOptions options) {
    return !options.quick() && options.runs(LOCALIZATION);
  }

  private static void read(BenchRun run, Plans plans) {
    try (BroadcastTestbed testbed =
        BroadcastTestbed.up(
            run, "bench-broadcast", plans.hostsPerRack(), Plans.WARM_UP, false, List.of())) {
      run.progress().say("warm-up: every host reads");
      testbed.warmUp();
      for (Plan plan : plans.plans()) {
        testbed.limit(plan.cell());
        run.experiment(plan.experiment(testbed));
      }
      testbed.succeeded();
    }
  }

  private static void localize(BenchRun run) {
    try (BroadcastTestbed testbed =
        BroadcastTestbed.up(
            run,
            "bench-localization",
            LOCALIZATION_HOSTS_PER_RACK,
            LOCALIZED,
            true,
            List.of(
                // One container fills a host.
                new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "512"),
                new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "512"),
                new Setting(Site.MAPRED, "mapreduce.map.memory.mb", "512"),
                // What earlier trials have localized is not kept.
                new Setting(Site.YARN, "yarn.nodemanager.localizer.cache.target-size-mb", "64"),
                new Setting(
                    Site.YARN, "yarn.nodemanager.localizer.cache.cleanup.interval-ms", "10000")))) {
      JobArchive archive =
          JobArchive.make(testbed.bench().cluster(), LOCALIZED.bytes(), run.options().seed());
      List<Arm> arms =
          LOCALIZATION_WAYS.stream()
              .map(way -> new JobBroadcast(testbed, archive, way).arm(way))
              .toList();
      run.experiment(
          Experiment.withoutBusyLink(
              LOCALIZATION,
              """
              A stock job that sleeps, with an archive of %d MB for its %d tasks, one on each host; links of %s. \
              Stock and Cornet differ in nothing but the plugin: both have the default of 10 replicas, which HDFS \
              makes while the first hosts localize."""
                  .formatted(LOCALIZED.megabytes(), LOCALIZED.receivers(), LOCALIZED.hostRate()),
              "programs start before and after files are moved",
              Optional.of(
                  testbed
                      .links()
                      .withoutHolders(
                          LOCALIZED,
                          testbed.bench().workers(),
                          testbed.bench().cluster().plan().rackNames())),
              arms));
      testbed.succeeded();
    }
  }
}
