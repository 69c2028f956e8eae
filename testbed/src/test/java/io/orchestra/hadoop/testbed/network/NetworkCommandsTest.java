package io.orchestra.hadoop.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NetworkCommandsTest {
  private static final NetworkPlan PLAN =
      new NetworkPlan(1, 1, 1, Rate.parse("100mbit"), Rate.parse("400mbit"));

  @Test
  void fabricHasBridgesUplinksAndOneCableIntoEachHost() {
    assertThat(NetworkCommands.fabric(PLAN, Map.of("m1", 11L, "r1h1", 12L)))
        .containsExactly(
            "link add name core type bridge mcast_snooping 0",
            "link set dev core up",
            "link add name rack1 type bridge mcast_snooping 0",
            "link set dev rack1 up",
            "link add name rack1-up type veth peer name rack1-down",
            "link set dev rack1-up master rack1 up",
            "link set dev rack1-down master core up",
            "link add name m1 type veth peer name eth0 netns 11",
            "link set dev m1 master core up",
            "link add name r1h1 type veth peer name eth0 netns 12",
            "link set dev r1h1 master rack1 up");
  }

  @Test
  void hostHasItsAddressInOneNetworkWithAllOthers() {
    assertThat(NetworkCommands.host(PLAN, PLAN.host("r1h1").orElseThrow()))
        .containsExactly("address add 10.50.1.1/16 dev eth0", "link set dev eth0 up");
  }

  @Test
  void limitIsAnHtbClassAndNothingWithoutALimit() {
    assertThat(NetworkCommands.limit("eth0", Rate.parse("100mbit")))
        .containsExactly(
            "qdisc add dev eth0 root handle 1: htb default 1",
            "class add dev eth0 parent 1: classid 1:1 htb rate 100000000bit burst 64k cburst 64k"
                + " quantum 60000");
    assertThat(NetworkCommands.limit("eth0", Rate.UNLIMITED)).isEmpty();
  }

  @Test
  void changeOfRateKeepsTheQueueUnlessTheLimitComesOrGoes() {
    Rate slow = Rate.parse("10mbit");
    Rate fast = Rate.parse("20mbit");
    assertThat(NetworkCommands.change("eth0", slow, fast))
        .singleElement()
        .asString()
        .startsWith("class change dev eth0");
    assertThat(NetworkCommands.change("eth0", slow, Rate.UNLIMITED))
        .isEqualTo(List.of("qdisc del dev eth0 root"));
    assertThat(NetworkCommands.change("eth0", Rate.UNLIMITED, slow))
        .isEqualTo(NetworkCommands.limit("eth0", slow));
    assertThat(NetworkCommands.change("eth0", Rate.UNLIMITED, Rate.UNLIMITED)).isEmpty();
  }
}
