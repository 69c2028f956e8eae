package io.orchestra.hadoop.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NetworkPlanTest {
  private static final Rate HOST = Rate.parse("100mbit");
  private static final Rate UPLINK = Rate.parse("400mbit");

  @Test
  void namesAndAddressesTellRackAndNumber() {
    NetworkPlan plan = new NetworkPlan(2, 3, 1, HOST, UPLINK);
    assertThat(plan.workers()).hasSize(6);
    assertThat(plan.host("r2h3")).contains(new Host("r2h3", "rack2", "10.50.2.3"));
    assertThat(plan.masters()).containsExactly(new Host("m1", "core", "10.50.0.1"));
    assertThat(plan.host("r3h1")).isEmpty();
  }

  @Test
  void largestPlanHasNoNameTwiceAndNoneTooLongForTheKernel() {
    NetworkPlan plan = new NetworkPlan(200, 200, 2, HOST, UPLINK);
    List<String> addresses = plan.hosts().stream().map(Host::address).toList();
    assertThat(new HashSet<>(addresses)).hasSameSizeAs(addresses);
    List<String> devices =
        plan.links().stream()
            .flatMap(link -> Stream.of(link.lower(), link.upper()))
            .filter(end -> end.namespace().equals(NetworkPlan.FABRIC))
            .map(Link.End::device)
            .toList();
    assertThat(new HashSet<>(devices)).hasSameSizeAs(devices);
    assertThat(devices).allSatisfy(device -> assertThat(device).hasSizeLessThan(16));
  }

  @Test
  void mastersAreNotLimitedAndRacksHaveTheirOwnRate() {
    NetworkPlan plan = new NetworkPlan(1, 1, 2, HOST, UPLINK);
    assertThat(plan.link("m2").orElseThrow().rate()).isEqualTo(Rate.UNLIMITED);
    assertThat(plan.link("rack1").orElseThrow().rate()).isEqualTo(UPLINK);
    assertThat(plan.link("r1h1").orElseThrow().rate()).isEqualTo(HOST);
    assertThat(plan.link("rack2")).isEmpty();
  }

  @Test
  void hostsFileAndTopologyTableHoldEveryHost() {
    NetworkPlan plan = new NetworkPlan(1, 2, 1, HOST, UPLINK);
    assertThat(plan.hostsFile())
        .isEqualTo("127.0.0.1 localhost\n10.50.0.1 m1\n10.50.1.1 r1h1\n10.50.1.2 r1h2\n");
    assertThat(plan.topologyTable()).contains("r1h2 /rack1\n", "10.50.1.2 /rack1\n", "m1 /core\n");
  }

  @Test
  void refusesSizesThatAddressesCannotHold() {
    assertThatThrownBy(() -> new NetworkPlan(0, 1, 1, HOST, UPLINK)).hasMessageContaining("racks");
    assertThatThrownBy(() -> new NetworkPlan(1, 201, 1, HOST, UPLINK))
        .hasMessageContaining("hosts per rack");
    assertThatThrownBy(() -> new NetworkPlan(1, 1, 3, HOST, UPLINK))
        .hasMessageContaining("masters");
  }
}
