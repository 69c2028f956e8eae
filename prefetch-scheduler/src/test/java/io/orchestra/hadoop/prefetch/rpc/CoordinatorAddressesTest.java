package io.orchestra.hadoop.prefetch.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class CoordinatorAddressesTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void ourPortIsOnTheHostThatApplicationMastersCallAnyway() {
    conf.set("yarn.resourcemanager.scheduler.address", "master:8030");

    assertThat(CoordinatorAddresses.of(conf, 8123))
        .extracting(InetSocketAddress::getHostString, InetSocketAddress::getPort)
        .containsExactly(tuple("master", 8123));
  }

  @Test
  void withHighAvailabilityItIsOnEveryResourceManager() {
    conf.setBoolean("yarn.resourcemanager.ha.enabled", true);
    conf.set("yarn.resourcemanager.ha.rm-ids", "rm1,rm2");
    conf.set("yarn.resourcemanager.scheduler.address.rm1", "one:8030");
    conf.set("yarn.resourcemanager.scheduler.address.rm2", "two:8030");

    assertThat(CoordinatorAddresses.of(conf, 8123))
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("one", "two");
  }

  /** As YARN's defaults have it, which a job's configuration includes. */
  @Test
  void ofSeveralResourceManagersEachHasItsOwnHostWhateverTheDefaultIs() {
    conf.setBoolean("yarn.resourcemanager.ha.enabled", true);
    conf.set("yarn.resourcemanager.ha.rm-ids", "rm1,rm2");
    conf.set("yarn.resourcemanager.scheduler.address", "0.0.0.0:8030");
    conf.set("yarn.resourcemanager.hostname.rm1", "one");
    conf.set("yarn.resourcemanager.scheduler.address.rm2", "two");

    assertThat(CoordinatorAddresses.of(conf, 8123))
        .extracting(InetSocketAddress::getHostString, InetSocketAddress::getPort)
        .containsExactly(tuple("one", 8123), tuple("two", 8123));
    assertThat(conf.get("yarn.resourcemanager.ha.id")).isNull();
    assertThat(conf.get("yarn.resourcemanager.scheduler.address.rm1")).isNull();
  }

  @Test
  void aPortThatIsLeftOutIsTheUsualOne() {
    conf.set("yarn.resourcemanager.scheduler.address", " master ");
    conf.set("yarn.nodemanager.amrmproxy.address", "0.0.0.0:8030");

    assertThat(CoordinatorAddresses.of(conf, 8123))
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("master");
    assertThat(CoordinatorAddresses.areProxied(conf)).isTrue();
  }

  @Test
  void whoeverKnowsAnAmrmProxyOnlyKnowsNoResourceManager() {
    conf.set("yarn.resourcemanager.scheduler.address", "localhost:8030");
    assertThat(CoordinatorAddresses.areProxied(conf)).isFalse();

    conf.setBoolean("yarn.nodemanager.amrmproxy.enabled", true);
    assertThat(CoordinatorAddresses.areProxied(conf)).isTrue();

    conf.setBoolean("yarn.nodemanager.amrmproxy.enabled", false);
    conf.set("yarn.resourcemanager.scheduler.address", "localhost:8049");
    assertThat(CoordinatorAddresses.areProxied(conf)).isTrue();

    conf.set("yarn.nodemanager.amrmproxy.address", "0.0.0.0:9999");
    assertThat(CoordinatorAddresses.areProxied(conf)).isFalse();
  }
}
