package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.OneContainerHosts;
import io.orchestra.hadoop.prefetch.traffic.TrafficHelper;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Link;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
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
  private static final int BLOCKS = 12;
  private static final int BLOCK_BYTES = 8 << 20;
  private static final Path HOST_SOCKET = Path.of("/run/orchestra-traffic/socket");
  private static final Path SWITCH_SOCKET = Path.of("/run/orchestra-switches/socket");
  private static final int HOSTS_AND_THEIR_RACKS = 4;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int MOST_JOBS = 5;

  private final List<HostProgram> helpers = new ArrayList<>();
  private final Map<Long, Sightings> sightings = new HashMap<>();
  private RunningCluster running;
  private Cluster cluster;

  @BeforeAll
  void start() throws IOException {
    EmulatedHosts.assumePossible();
    running =
        OneContainerHosts.start(
            "traffic",
            false,
            List.of(Plugin.PREFETCH),
            new Setting(Site.YARN, "orchestra.prefetch.driver", "tc"),
            new Setting(Site.YARN, "orchestra.prefetch.tc.switches", SWITCH_SOCKET.toString()),
            new Setting(Site.HDFS, "orchestra.prefetch.tc.socket", HOST_SOCKET.toString()),
            // Before maps begin, while classes are there.
            new Setting(Site.YARN, "orchestra.prefetch.reading-share", "0"),
            // What daemons are told is then what was allotted.
            new Setting(Site.YARN, "orchestra.prefetch.cardinal", "improved"));
    cluster = running.cluster();
    OneContainerHosts.writeInput(running, BLOCKS, BLOCK_BYTES);
    // Devices whose links the testbed shapes are none of a helper's.
    cluster.plan().links().forEach(link -> running.faults().rate(link.name(), Rate.UNLIMITED));
    cluster.plan().workers().forEach(this::startHelper);
    startSwitchHelper();
    await()
        .atMost(LONGEST)
        .ignoreExceptions()
        .until(() -> report().path("daemons").size() == OneContainerHosts.WORKERS);
  }

  @AfterAll
  void stop() {
    if (running != null) {
      running.close();
    }
    helpers.forEach(HostProgram::close);
  }

  private void startHelper(Host host) {
    Link link = link(host.name());
    HostShell shell = cluster.shell(host);
    start(
        shell,
        shell.words(
            Optional.empty(),
            helper(HOST_SOCKET, Account.HDFS, List.of(port("host", link.lower(), link)))),
        HOST_SOCKET);
  }

  /** Whoever schedules reaches it, as the manager of switches it would be elsewhere. */
  private void startSwitchHelper() {
    List<String> ports = new ArrayList<>();
    for (Host worker : cluster.plan().workers()) {
      Link link = link(worker.name());
      ports.add(port(worker.name() + ":down", link.upper(), link));
    }
    for (String rack : cluster.plan().rackNames()) {
      Link link = link(rack);
      ports.add(port("/" + rack + ":up", link.lower(), link));
      ports.add(port("/" + rack + ":down", link.upper(), link));
    }
    HostShell shell = cluster.firstMaster();
    List<String> words =
        new ArrayList<>(shell.words(Optional.empty(), helper(SWITCH_SOCKET, Account.YARN, ports)));
    words.add(
        words.indexOf("--all") + 1, "--net=/proc/%d/ns/net".formatted(pid(NetworkPlan.FABRIC)));
    start(shell, words, SWITCH_SOCKET);
  }

  private static String port(String name, Link.End end, Link link) {
    return "%s=%s=%d".formatted(name, end.device(), link.rate().bitsPerSecond());
  }

  private List<String> helper(Path socket, Account client, List<String> ports) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Jvm.program(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                cluster.directory().jars(Role.DATANODE) + "/*",
                TrafficHelper.class.getName(),
                socket.toString(),
                client.userName()));
    words.addAll(ports);
    return words;
  }

  private void start(HostShell host, List<String> words, Path socket) {
    String unused =
        host.command(Optional.empty(), List.of("mkdir", socket.getParent().toString())).output();
    HostProgram helper =
        HostProgram.start(
            Command.of(words)
                .named("traffic helper on " + host.host())
                .withOnly(host.environment(Optional.empty())),
            cluster.directory().logs(host.host()).resolve("traffic-helper.log"));
    helpers.add(helper);
    assertThat(helper.receive(LONGEST)).isEqualTo("ready");
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
          seen.allotted().add(flow.path("rate").asDouble() * Byte.SIZE);
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
