package io.orchestra.hadoop.integration.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.prefetch.traffic.TrafficHelper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sender, a switch and a receiver with the kernel's own network stacks; helpers on the way. */
final class TrafficHelperIT {
  private static final String RECEIVER = "10.77.0.2";
  private static final String FLOW_PORT = "42000";
  private static final String OTHER_PORT = "5001";
  private static final long BYTES = 12 << 20;
  private static final long HOST_BITS = 80_000_000;
  private static final long SWITCH_BITS = 40_000_000;

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();
  private long sender;
  private long middle;
  private long receiver;

  @BeforeEach
  void wire() throws IOException, InterruptedException {
    EmulatedHosts.assumePossible();
    sender = host();
    middle = host();
    receiver = host();
    ip(
        middle,
        "link add name bridge type bridge",
        "link set dev bridge up",
        "link add name left type veth peer name eth0 netns " + sender,
        "link add name right type veth peer name eth0 netns " + receiver,
        "link set dev left master bridge up",
        "link set dev right master bridge up");
    ip(sender, "address add 10.77.0.1/24 dev eth0", "link set dev eth0 up");
    ip(receiver, "address add " + RECEIVER + "/24 dev eth0", "link set dev eth0 up");
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : Lists.reverse(processes)) {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private long host() throws IOException {
    Process first =
        start(
            List.of(
                "unshare",
                "--net",
                "sh",
                "-c",
                "echo reno > /proc/sys/net/ipv4/tcp_congestion_control; echo ready; exec sleep"
                    + " 600"));
    expect(first, "ready");
    return first.pid();
  }

  private void ip(long host, String... lines) throws IOException, InterruptedException {
    Process ip = start(List.of("nsenter", "-n", "-t", "" + host, "ip", "-batch", "-"));
    try (OutputStream input = ip.getOutputStream()) {
      input.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(ip.waitFor()).isZero();
  }

  private Process start(List<String> words) throws IOException {
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    processes.add(process);
    return process;
  }

  private Process java(long host, Class<?> main, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("nsenter", "-n", "-t", "" + host, "java"));
    String tested = System.getProperty("surefire.test.class.path", "");
    words.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + tested,
            main.getName()));
    words.addAll(Arrays.asList(arguments));
    return start(words);
  }

  private static String line(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = process.getInputStream().read();
        next >= 0 && next != '\n';
        next = process.getInputStream().read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  private static void expect(Process process, String words) throws IOException {
    assertThat(line(process)).isEqualTo(words);
  }

  private Process helper(long host, String name, String user, String... ports) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(directory.resolve(name).toString(), user));
    arguments.addAll(List.of(ports));
    return java(host, TrafficHelper.class, arguments.toArray(String[]::new));
  }

  /** What a helper answers, on one connection. */
  private final class Client implements AutoCloseable {
    private final SocketChannel channel;
    private final BufferedReader answers;

    private Client(String name) throws IOException {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(name)));
      answers =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    }

    private String ask(String line) throws IOException {
      channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
      return answers.readLine();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * What came next.
   *
   * @param flow part of it that came to the flow's port
   * @param nanos that it took
   */
  private record Span(double flow, double nanos) {}

  @Test
  void aFlowKeepsItsRateOnHostsAndSwitchesAndOthersGetTheRest()
      throws IOException, InterruptedException {
    expect(helper(sender, "host", "root", "host=eth0=" + HOST_BITS), "ready");
    expect(helper(middle, "switch", "root", "receiver:down=right=" + SWITCH_BITS), "ready");
    Process sink = java(receiver, Streams.class, "sink", FLOW_PORT, OTHER_PORT);
    expect(sink, "ready");
    expect(java(sender, Streams.class, "source", RECEIVER, OTHER_PORT, "20"), "ready");
    Span alone = usual(sink);

    expect(java(sender, Streams.class, "source", RECEIVER, FLOW_PORT, "1"), "ready");
    assertThat(next(sink).flow()).as("one of many streams").isLessThan(0.4);

    try (Client host = new Client("host");
        Client network = new Client("switch")) {
      long bits = SWITCH_BITS * 6 / 10;
      String rest = " 3 %d %s %s".formatted(bits, RECEIVER, FLOW_PORT);
      assertThat(host.ask("set host" + rest)).isEqualTo("ok");
      assertThat(network.ask("set receiver:down" + rest)).isEqualTo("ok");
      Span shaped = settled(sink, span -> span.flow() > 0.54 && span.nanos() < 1.2 * alone.nanos());
      assertThat(shaped.flow()).isGreaterThan(0.54);
      assertThat(shaped.nanos() / alone.nanos()).as("the link is no slower").isLessThan(1.2);

      // The class is used again, for another rate.
      assertThat(network.ask("clear receiver:down 3")).isEqualTo("ok");
      assertThat(
              network.ask("set receiver:down 3 %d %s %s".formatted(bits / 2, RECEIVER, FLOW_PORT)))
          .isEqualTo("ok");
      assertThat(settled(sink, span -> span.flow() > 0.27).flow()).isBetween(0.27, 0.5);

      assertThat(network.ask("set receiver:down 4 %d 10.77.0.9 1".formatted(SWITCH_BITS)))
          .startsWith("refused")
          .contains("promised");
      assertThat(network.ask("set eth0 4 8000 10.77.0.9 1"))
          .isEqualTo("refused: there is no port eth0");
      assertThat(network.ask("qdisc del dev right root")).startsWith("refused");
    }
    Awaitility.await("that both helpers forget it, as their clients are gone")
        .atMost(Duration.ofMinutes(1))
        .until(() -> filters().isEmpty() && filters(middle, "right").isEmpty());
    assertThat(next(sink).flow()).as("whose client is gone").isLessThan(0.4);
  }

  /** The median of three: what has waited while the sink stood still comes faster than the link. */
  private static Span usual(Process sink) throws IOException {
    List<Span> spans = new ArrayList<>();
    for (int span = 0; span < 3; span++) {
      spans.add(next(sink));
    }
    spans.sort(Comparator.comparingDouble(Span::nanos));
    return spans.get(1);
  }

  /** Of the next bytes, after those that wait in queues now. */
  private static Span next(Process sink) throws IOException {
    await(sink, sum(counters(sink)) + BYTES / 2);
    long[] before = counters(sink);
    long start = System.nanoTime();
    await(sink, sum(before) + BYTES);
    long[] after = counters(sink);
    double all = sum(after) - sum(before);
    return new Span((after[0] - before[0]) / all, (System.nanoTime() - start) / all);
  }

  /**
   * The first span that is as it should be, or the last one of a few: what waited in a class that
   * is gone is lost, TCP may need a while to notice, and the machine may have stood still.
   */
  private static Span settled(Process sink, Predicate<Span> expected) throws IOException {
    Span span = next(sink);
    for (int more = 0; more < 5 && !expected.test(span); more++) {
      span = next(sink);
    }
    return span;
  }

  @Test
  void refusesADirectoryThatOthersCanChange() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Process helper = helper(sender, "open/socket", "hdfs", "host=eth0=" + HOST_BITS);

    expect(helper, "");
    assertThat(helper.onExit().join().exitValue()).isEqualTo(1);
    assertThat(Files.list(open)).isEmpty();
  }

  private static void await(Process sink, long bytes) {
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> sum(counters(sink)) >= bytes);
  }

  private static long sum(long[] counters) {
    return Arrays.stream(counters).sum();
  }

  private static long[] counters(Process sink) throws IOException {
    sink.getOutputStream().write('\n');
    sink.getOutputStream().flush();
    return Arrays.stream(line(sink).strip().split(" ")).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void onlyItsUserIsServedAndTheDeviceIsAsBeforeInTheEnd()
      throws IOException, InterruptedException {
    Process helper = helper(sender, "host", "nobody", "host=eth0=" + HOST_BITS);
    expect(helper, "ready");
    try (Client root = new Client("host")) {
      assertThat(root.answers.readLine()).isEqualTo("refused: root is not nobody");
    }
    assertThat(queues()).contains("htb f1ec:");

    helper.destroy();
    assertThat(helper.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(queues()).doesNotContain("htb");
  }

  @Test
  void queuesOfSomebodyElseAreLeftAlone() throws IOException, InterruptedException {
    Process tc =
        start(
            List.of(
                "nsenter",
                "-n",
                "-t",
                "" + sender,
                "tc",
                "qdisc",
                "add",
                "dev",
                "eth0",
                "root",
                "handle",
                "42:",
                "htb",
                "default",
                "3"));
    assertThat(tc.waitFor()).isZero();

    Process helper = helper(sender, "host", "root", "host=eth0=" + HOST_BITS);
    expect(helper, "");
    assertThat(helper.waitFor()).isEqualTo(1);
    assertThat(queues()).contains("htb 42:");
  }

  @Test
  void whatAHelperThatWasKilledLeftIsTakenOver() throws IOException, InterruptedException {
    Process killed = helper(sender, "host", "root", "host=eth0=" + HOST_BITS);
    expect(killed, "ready");
    killed.destroyForcibly().waitFor();

    expect(helper(sender, "host", "root", "host=eth0=" + HOST_BITS), "ready");
  }

  @Test
  void classesThatSomebodyHasTakenAwayAreMadeAgainUnlessHisAreThere()
      throws IOException, InterruptedException {
    expect(helper(sender, "host", "root", "host=eth0=" + HOST_BITS), "ready");
    try (Client host = new Client("host")) {
      String flow = "set host 3 8000000 %s %s".formatted(RECEIVER, FLOW_PORT);
      assertThat(host.ask(flow)).isEqualTo("ok");
      assertThat(host.ask("clear host 1")).isEqualTo("ok");
      assertThat(filters()).hasSize(1);

      tc("qdisc", "del", "dev", "eth0", "root");
      assertThat(host.ask("clear host 1")).isEqualTo("ok");
      assertThat(queues()).contains("htb f1ec:");
      assertThat(filters()).as("with their rates").hasSize(1);

      tc("qdisc", "replace", "dev", "eth0", "root", "handle", "42:", "htb", "default", "3");
      assertThat(host.ask(flow)).startsWith("refused: eth0 has queues of somebody else");
      assertThat(queues()).contains("htb 42:");

      tc("qdisc", "del", "dev", "eth0", "root");
      assertThat(host.ask("clear host 1")).isEqualTo("ok");
      assertThat(filters()).as("nor are they forgotten").hasSize(1);
    }
  }

  @Test
  void anotherRateLeavesTheFilterOfAFlowAsItIs() throws IOException, InterruptedException {
    expect(helper(sender, "host", "root", "host=eth0=" + HOST_BITS), "ready");
    try (Client host = new Client("host")) {
      String flow = "set host 3 %d " + RECEIVER + " " + FLOW_PORT;
      assertThat(host.ask(flow.formatted(8_000_000))).isEqualTo("ok");
      List<String> before = filters();
      assertThat(host.ask(flow.formatted(16_000_000))).isEqualTo("ok");
      assertThat(filters()).isEqualTo(before);
      assertThat(output(sender, "class", "show", "dev", "eth0"))
          .contains("class htb f1ec:13 ")
          .contains(" rate 16Mbit ");
    }
  }

  @Test
  void aSecondHelperOfTheSameSocketOrDeviceIsRefusedAndTheFirstGoesOn()
      throws IOException, InterruptedException {
    expect(helper(sender, "host", "root", "host=eth0=" + HOST_BITS), "ready");
    try (Client host = new Client("host")) {
      assertThat(host.ask("set host 3 8000000 %s %s".formatted(RECEIVER, FLOW_PORT)))
          .isEqualTo("ok");
      for (String socket : List.of("host", "other")) {
        Process second = helper(sender, socket, "root", "host=eth0=" + HOST_BITS);
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).as(socket).isTrue();
        assertThat(second.exitValue()).as(socket).isEqualTo(1);
      }

      assertThat(filters()).hasSize(1);
    }
    try (Client next = new Client("host")) {
      assertThat(next.ask("clear host 1")).isEqualTo("ok");
    }
  }

  private List<String> filters() throws IOException {
    return filters(sender, "eth0");
  }

  private List<String> filters(long host, String device) throws IOException {
    return output(host, "filter", "show", "dev", device, "parent", "f1ec:")
        .lines()
        .filter(line -> line.contains("flowid"))
        .toList();
  }

  private void tc(String... words) throws IOException, InterruptedException {
    assertThat(start(tcOn(sender, words)).waitFor()).isZero();
  }

  private String queues() throws IOException {
    return output(sender, "qdisc", "show", "dev", "eth0");
  }

  /** Of tc. */
  private String output(long host, String... words) throws IOException {
    Process tc = start(tcOn(host, words));
    return new String(tc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static List<String> tcOn(long host, String... words) {
    List<String> all = new ArrayList<>(List.of("nsenter", "-n", "-t", "" + host, "tc"));
    all.addAll(Arrays.asList(words));
    return all;
  }
}
