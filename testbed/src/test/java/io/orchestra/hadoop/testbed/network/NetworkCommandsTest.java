package io.orchestra.hadoop.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NetworkCommandsTest {
  private static final NetworkPlan PLAN =
      new NetworkPlan(1, 1, 1, Rate.parse("100mbit"), Rate.parse("400mbit"));

  @Test
  void fabricHasBridgesUplinksAndOneCableIntoEachHost() {
    assertThat(
            NetworkCommands.fabric(
                PLAN, Map.of("m1", new ProcessIdentity(11, 1), "r1h1", new ProcessIdentity(12, 1))))
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
  void limitIsAnHtbClassWithAQueueOfItsOwn() {
    assertThat(NetworkCommands.rate("eth0", Rate.parse("100mbit"), ""))
        .containsExactly(
            "qdisc add dev eth0 root handle 1: htb default 1",
            "class replace dev eth0 parent 1: classid 1:1 htb rate 100000000bit burst 64k"
                + " cburst 64k quantum 60000",
            "qdisc replace dev eth0 parent 1:1 handle 10: bfifo limit 2500000");
    assertThat(NetworkCommands.rate("eth0", Rate.UNLIMITED, "")).isEmpty();
  }

  @Test
  void whatADeviceHasDecidesWhatIsDone() {
    String limited = "qdisc htb 1: root refcnt 2 r2q 10 default 0x1\n";
    assertThat(NetworkCommands.rate("eth0", Rate.parse("10mbit"), limited))
        .hasSize(2)
        .noneMatch(line -> line.contains("root"));
    assertThat(NetworkCommands.rate("eth0", Rate.UNLIMITED, limited))
        .containsExactly("qdisc del dev eth0 root");
    assertThat(NetworkCommands.rate("eth0", Rate.UNLIMITED, "qdisc noqueue 0: root refcnt 2"))
        .isEmpty();
  }
}
