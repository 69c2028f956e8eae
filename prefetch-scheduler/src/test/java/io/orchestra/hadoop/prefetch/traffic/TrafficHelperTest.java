package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrafficHelperTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void namesAndDevicesAreOnesOwn(@TempDir Path directory) throws IOException {
    Tc tc = new FakeTc(directory).tc();
    String first = "first=eth1=1000000000";

    assertThat(TrafficHelper.ports(tc, List.of(first, "second=eth2=1000000000")))
        .containsOnlyKeys("first", "second");
    for (String other : List.of("first=eth2=1000000000", "second=eth1=1000000000")) {
      assertThatThrownBy(() -> TrafficHelper.ports(tc, List.of(first, other)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("'%s': its name or its device is that of".formatted(other));
    }
  }

  @Test
  void aDeviceWhoseRatesDoNotEndHarmsNeitherOthersNorTheNextClient(@TempDir Path directory)
      throws IOException {
    FakeTc fake = new FakeTc(directory);
    Map<String, HtbPort> ports = new LinkedHashMap<>();
    ports.put("first", new HtbPort(fake.tc(), "eth1", 1_000_000_000));
    ports.put("second", new HtbPort(fake.tc(), "eth2", 1_000_000_000));
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      TrafficHelper helper = new TrafficHelper(ports, System.getProperty("user.name"));
      Thread serving = new Thread(() -> helper.serve(listener));
      serving.setDaemon(true);
      serving.start();
      try (HelperConnection client = HelperConnection.to(socket, LONG)) {
        assertThat(client.ask("set first 1 8000000 10.0.0.1 42000")).isEqualTo("ok");
        assertThat(client.ask("set first 2 900000000 10.0.0.1 42001")).isEqualTo("ok");
        assertThat(client.ask("set second 1 8000000 10.0.0.1 42000")).isEqualTo("ok");
        fake.fails("");
      }

      try (HelperConnection next = HelperConnection.to(socket, LONG)) {
        assertThat(next.ask("set first 1 8000000 10.0.0.1 42000")).isEqualTo("ok");
        assertThat(fake.lines())
            .as("tried again before somebody is served")
            .filteredOn("filter del dev eth1 parent f1ec:"::equals)
            .hasSize(2);
        assertThat(next.ask("set first 3 900000000 10.0.0.1 42002"))
            .as("nothing is promised to who is gone")
            .isEqualTo("ok");
      }
      // It writes once more into the directory, which is deleted after this.
      listener.close();
      await().until(() -> !serving.isAlive());
      assertThat(fake.lines())
          .contains("filter del dev eth1 parent f1ec:", "filter del dev eth2 parent f1ec:");
    }
  }
}
