package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.bench.BenchRun;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.Agents;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster of this benchmark: chooses who has a file and who wants it, and changes links, overlays
 * and the order of files while it runs.
 */
final class BroadcastTestbed implements AutoCloseable {
  /** Replicas go where they are wanted, however busy a host is. */
  private static final Setting IGNORE_LOAD =
      new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false");

  /** Whether it should be so is what small files are read for. */
  private static final Setting SMALL_FILES_TOO =
      new Setting(Site.HDFS, "orchestra.broadcast.min-file-size", "1m");

  /** How much later than from HDFS a file may come: the default, said so that a target can. */
  static final int STALL_TIMEOUT_SECONDS = 5;

  private static final Setting STALL_TIMEOUT =
      new Setting(Site.HDFS, "orchestra.broadcast.stall-timeout", STALL_TIMEOUT_SECONDS + "s");

  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);
  private static final Duration LONGEST_FILE = Duration.ofMinutes(20);
  private static final int LONGEST_START_SECONDS = 60;

  private static final int LESSONS = 3;

  /** Replicas of a lesson. */
  private static final int HOLDERS = 3;

  private static final long LESSON_BYTES = 9_000_000;

  /** More than the age of a figure of /jmx on a testbed. */
  private static final Duration STALE = Duration.ofMillis(1500);

  private final BenchCluster bench;
  private Cell rates;
  private Cast cast = new Cast(List.of(), List.of());

  private BroadcastTestbed(BenchCluster bench, Cell rates) {
    this.bench = bench;
    this.rates = rates;
  }

  /**
   * @param first decides the rates of links until {@link #limit}
   * @param settings beside those that every cluster of this benchmark has
   */
  static BroadcastTestbed up(
      BenchRun run,
      String name,
      int hostsPerRack,
      Cell first,
      boolean yarn,
      List<Setting> settings) {
    ClusterSpec spec =
        ClusterSpec.of(name, Plans.RACKS, hostsPerRack, first.hostRate(), first.uplinkRate())
            .withHadoop(run.options().hadoopVersion())
            .withYarn(yarn)
            .with(List.of(Plugin.BROADCAST), List.of(IGNORE_LOAD, SMALL_FILES_TOO, STALL_TIMEOUT))
            .with(settings);
    return Opened.prepared(
        new BroadcastTestbed(BenchCluster.up(run, spec), first), BroadcastTestbed::awaitPeers);
  }

  private void awaitPeers() {
    Waiting.until(
        () -> bench.report("/orchestra/broadcast").path("peers").size() == bench.workers().size(),
        "all peers to find the tracker",
        LONGEST_START_SECONDS);
  }

  BenchCluster bench() {
    return bench;
  }

  /** Gives all links the rates of a cell. */
  void limit(Cell cell) {
    rates = cell;
    bench.rates(cell.hostRate(), cell.uplinkRate());
  }

  /** The links of an experiment, of which the derived ones follow the cast of each trial. */
  CastLinks links() {
    return new CastLinks(bench.cluster().linkCounters()::read, () -> cast);
  }

  /** Draws a cell's receivers and replicas, which hold until the next draw. */
  Cast draw(Trial trial, Cell cell, int replicas) {
    cast =
        Cast.draw(
            trial.seed(),
            bench.cluster().plan().workers(),
            cell.receivers(),
            replicas,
            cell.files());
    return cast;
  }

  /** The cast of the trial under way. */
  Cast cast() {
    return cast;
  }

  /** All workers are receivers, wherever their files are. */
  Cast everybody() {
    cast = new Cast(bench.workers(), List.of());
    return cast;
  }

  /** Who asks whom, and which file goes first, from now on. */
  void refresh(List<String> liveSettings) {
    bench.dfsadmin(
        "-refresh %s orchestra-broadcast %s"
            .formatted(BenchCluster.NAMENODE, String.join(" ", liveSettings)));
  }

  /**
   * Writes a new file with a replica on each of these hosts, over links that are fast meanwhile.
   *
   * @return what was written
   */
  Reception.Content put(String file, long bytes, long seed, List<String> hosts) {
    bench.rate(hosts, BenchCluster.FAST);
    bench.rate(bench.cluster().plan().rackNames(), BenchCluster.FAST);
    String sum = bench.put("put", file, bytes, seed, hosts);
    limit(rates);
    return new Reception.Content(bytes, sum);
  }

  /**
   * Has these hosts read files all at once.
   *
   * @param plugins whether their clients have the plugin
   * @return seconds, bytes and checksum of each file, by the name of the host
   */
  Map<String, String> read(List<String> files, List<String> hosts, boolean plugins) {
    return bench
        .agents()
        .all(
            hosts,
            "read %s %s".formatted(plugins ? "swarm" : "stock", String.join(" ", files)),
            "read ",
            LONGEST_FILE);
  }

  /**
   * Lets localizers find the DataNodes' sockets, or hides these: then they read from HDFS, as where
   * no DataNode has the plugin.
   */
  void offer(boolean sockets) {
    for (String host : bench.workers()) {
      Path directory = bench.cluster().directory().sockets(host);
      Path shown = directory.resolve(Plugin.BLOCK_CACHE_SOCKET_NAME);
      Path hidden = directory.resolve(Plugin.BLOCK_CACHE_SOCKET_NAME + ".hidden");
      try {
        if (Files.exists(sockets ? hidden : shown)) {
          Files.move(sockets ? hidden : shown, sockets ? shown : hidden);
        }
      } catch (IOException e) {
        throw new TestbedException("cannot rename " + shown + ": " + e.getMessage(), e);
      }
    }
  }

  /**
   * Has every host read a file in each of the ways that need programs of ours, unmeasured: no trial
   * meets clients, DataNodes or peers that have done nothing yet.
   */
  void warmUp() {
    String file = BenchCluster.DIRECTORY + "/warm-up-";
    bench.emptyDirectory();
    List<Way> ways =
        List.of(
            Way.STOCK, Way.CORNET_TOPOLOGY, Way.CORNET, Way.CORNET_TOPOLOGY, Way.CORNET, Way.STOCK);
    for (int number = 0; number < ways.size(); number++) {
      Way way = ways.get(number);
      if (way.isOurs()) {
        refresh(way.liveSettings());
      }
      Cast roles = Cast.draw(0, bench.cluster().plan().workers(), 1, way.replicas(), 1);
      Reception.Content unusedContent =
          put(file + number, Plans.WARM_UP.bytes(), number, roles.holders());
      Map<String, String> unusedAnswers =
          read(List.of(file + number), bench.workers(), way.isOurs());
    }
  }

  /**
   * Has nearly all hosts read files as a swarm that knows nothing of racks, so that the tracker can
   * infer them; at the rates of a cell.
   *
   * @return what it inferred, as a sentence
   */
  String teachRacks(Cell cell) {
    limit(cell);
    bench.emptyDirectory();
    refresh(Way.CORNET_INFERRED.liveSettings());
    int pupils = pupils(bench.cluster().plan());
    for (int lesson = 0; lesson < LESSONS; lesson++) {
      Cast roles = Cast.draw(lesson, bench.cluster().plan().workers(), pupils, HOLDERS, 1);
      String file = BenchCluster.DIRECTORY + "/lesson-" + lesson;
      Reception.Content unusedContent = put(file, LESSON_BYTES, lesson, roles.holders());
      Map<String, String> unusedAnswers = read(List.of(file), roles.receivers(), true);
    }
    Waiting.until(
        () -> InferredTopology.of(bench.report("/orchestra/broadcast")).racks() > 0,
        "the tracker to infer racks",
        LONGEST_START_SECONDS);
    return "%s From %d files of %d MB to %d hosts."
        .formatted(
            InferredTopology.of(bench.report("/orchestra/broadcast")),
            LESSONS,
            LESSON_BYTES / 1_000_000,
            pupils);
  }

  /** As many as can receive when two of three replicas are in one rack, whichever that is. */
  static int pupils(NetworkPlan plan) {
    return plan.workers().size() - (HOLDERS - 1) * plan.rackNames().size();
  }

  /** What the plugin has counted up to this call. */
  SwarmFigures figures() {
    Waiting.sleep(STALE, "figures of this moment");
    Map<String, Map<String, Long>> figures = new LinkedHashMap<>();
    bench
        .agents()
        .all(
            bench.workers(),
            "figures " + String.join(" ", SwarmFigures.SOURCES),
            "figures",
            LONGEST_ANSWER)
        .forEach(
            (host, words) -> {
              Map<String, Long> own = new LinkedHashMap<>();
              Agents.pairs(words).forEach((name, value) -> own.put(name, Long.valueOf(value)));
              figures.put(host, own);
            });
    return new SwarmFigures(figures);
  }

  void succeeded() {
    bench.succeeded();
  }

  @Override
  public void close() {
    bench.close();
  }
}
