package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.OneContainerHosts;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.TrafficHelpers;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Link;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Prefetches of a stock job with the driver {@code tc}: its links are those that traffic helpers
 * make, on all hosts of the testbed and at all ports of its switches.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
final class PrefetchTrafficIT {
  /** What devices count besides the bytes of a block. */
  private static final double HEADERS = 1.055;

  private static final int BLOCKS = 12;
  private static final int BLOCK_BYTES = 8 << 20;
  private static final int HOSTS_AND_THEIR_RACKS = 4;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int MOST_JOBS = 5;

  private final Map<Long, Sightings> sightings = new HashMap<>();
  private RunningCluster running;
  private TrafficHelpers helpers;
  private Cluster cluster;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running = OneContainerHosts.start("traffic", false, List.of(Plugin.PREFETCH), settings());
    cluster = running.cluster();
    OneContainerHosts.writeInput(running, BLOCKS, BLOCK_BYTES);
    helpers = TrafficHelpers.start(running);
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(() -> report().path("daemons").size() == OneContainerHosts.WORKERS);
  }

  @AfterAll
  void stop() {
    try {
      if (helpers != null) {
        helpers.close();
      }
    } finally {
      if (running != null) {
        running.close();
      }
    }
  }

  private static Setting[] settings() {
    List<Setting> settings = new ArrayList<>(TrafficHelpers.SETTINGS);
    // Before maps begin, while classes are there.
    settings.add(new Setting(Site.YARN, "orchestra.prefetch.reading-share", "0"));
    // What daemons are told is then what was allotted.
    settings.add(new Setting(Site.YARN, "orchestra.prefetch.cardinal", "improved"));
    return settings.toArray(Setting[]::new);
  }

  @Test
  void aPrefetchGoesThroughAClassOfItsRateOnEveryDeviceFromHostToHost() throws IOException {
    long copied = copiedByJobsWithAShapedFlow();

    assertThat(bytes(host -> link(host).lower())).as("on senders").isGreaterThan(copied / 2);
    assertThat(bytes(host -> link(host).upper()))
        .as("from switches to receivers")
        .isGreaterThan(copied / 2);
    for (String rack : cluster.plan().rackNames()) {
      long up = flows(link(rack).lower()).bytes();
      assertThat(up + flows(link(rack).upper()).bytes()).as(rack).isPositive();
    }
    assertNoneRefused();
    running.succeeded();
  }

  /** Whether anything is brought from rack to rack, and long before, no single job can promise. */
  private long copiedByJobsWithAShapedFlow() {
    boolean shaped = false;
    long copied = 0;
    for (int number = 1; number <= MOST_JOBS && (!shaped || copied <= BLOCK_BYTES); number++) {
      String output = "output-" + number;
      CompletableFuture<String> job =
          CompletableFuture.supplyAsync(
              () ->
                  OneContainerHosts.hadoop(
                      running, "m1", "jar", "examples", "wordcount", "input/*", output));
      shaped |=
          await()
              .atMost(OneContainerHosts.LONGEST_JOB)
              .ignoreExceptions()
              .until(this::isShaped, found -> found || job.isDone());
      String unusedOutput = job.join();
      copied = copied();
    }
    assertThat(shaped).as("a flow whose rate all devices had").isTrue();
    assertThat(copied).as("%s", report()).isGreaterThan(BLOCK_BYTES);
    return copied;
  }

  /**
   * Whether a flow from one rack to the other has had a rate that it was allotted on all of its
   * way. Reports and devices are read one after the other, and rates change meanwhile.
   */
  private boolean isShaped() {
    for (JsonNode flow : report().path("flows")) {
      Host to = cluster.host(flow.path("to").asText());
      List<Link.End> way = way(cluster.host(flow.path("from").asText()), to);
      if (way.size() == HOSTS_AND_THEIR_RACKS) {
        Sightings seen = sightings.computeIfAbsent(flow.path("id").asLong(), id -> new Sightings());
        if (!flow.path("reading").asBoolean()) {
          seen.allotted().add(flow.path("rate").asDouble() * Byte.SIZE * HEADERS);
        }
        way.forEach(end -> seen.on(end).addAll(flows(end).rates(to.address())));
        if (seen.sameOn(way)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * What was seen of one flow, in bits per second.
   *
   * @param allotted rates of it
   * @param shaped rates that each device had for its receiver
   */
  private record Sightings(Set<Double> allotted, Map<Link.End, Set<Double>> shaped) {
    Sightings() {
      this(new HashSet<>(), new HashMap<>());
    }

    Set<Double> on(Link.End end) {
      return shaped.computeIfAbsent(end, unseen -> new HashSet<>());
    }

    boolean sameOn(List<Link.End> way) {
      return allotted.stream()
          .anyMatch(
              rate ->
                  way.stream()
                      .allMatch(
                          end ->
                              on(end).stream()
                                  .anyMatch(other -> Math.abs(other - rate) < rate / 1000)));
    }
  }

  private List<Link.End> way(Host from, Host to) {
    return from.place().equals(to.place())
        ? List.of(link(from.name()).lower(), link(to.name()).upper())
        : List.of(
            link(from.name()).lower(),
            link(from.place()).lower(),
            link(to.place()).upper(),
            link(to.name()).upper());
  }

  private DeviceFlows flows(Link.End end) {
    return DeviceFlows.parse(
        tc(end, "filter", "show", "dev", end.device()),
        tc(end, "-s", "class", "show", "dev", end.device()));
  }

  private String tc(Link.End end, String... words) {
    List<String> all =
        new ArrayList<>(List.of("nsenter", "--target", "" + pid(end.namespace()), "--net", "tc"));
    all.addAll(List.of(words));
    return Command.of(all).output();
  }

  private long pid(String host) {
    return cluster.state().hosts().get(host).pid();
  }

  private Link link(String name) {
    return cluster.plan().link(name).orElseThrow();
  }

  /** Of flows, on one device for each worker. */
  private long bytes(Function<String, Link.End> device) {
    return cluster.plan().workers().stream()
        .mapToLong(worker -> flows(device.apply(worker.name())).bytes())
        .sum();
  }

  /** What all daemons have brought. */
  private long copied() {
    return cluster.plan().workers().stream()
        .map(worker -> cluster.webAddress(worker, Daemon.DATANODE))
        .map(
            address ->
                answer(
                    address,
                    () -> cluster.web().bean(address, "DataNode,name=OrchestraPrefetchDaemon")))
        .mapToLong(bean -> bean.path("BytesCopied").asLong())
        .sum();
  }

  /** Helpers promise no more than they have, and their clients ask for no more. */
  private void assertNoneRefused() throws IOException {
    List<Path> logs = new ArrayList<>();
    logs.add(cluster.directory().log("m1", Daemon.RESOURCEMANAGER));
    cluster
        .plan()
        .workers()
        .forEach(worker -> logs.add(cluster.directory().log(worker.name(), Daemon.DATANODE)));
    for (Path log : logs) {
      assertThat(Files.readString(log))
          .as("%s", log)
          .doesNotContain("is refused: ", "Rates are not guaranteed");
    }
  }

  private JsonNode report() {
    String url = "http://m1:8088/orchestra/prefetch";
    return answer(url, () -> cluster.web().json(url));
  }

  private static JsonNode answer(String address, Callable<Optional<JsonNode>> question) {
    return await("what is at " + address)
        .atMost(LONGEST)
        .until(question, Optional::isPresent)
        .orElseThrow();
  }
}
