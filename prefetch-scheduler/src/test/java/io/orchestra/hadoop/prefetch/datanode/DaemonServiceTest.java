package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

/** Which ResourceManagers a DataNode polls. */
final class DaemonServiceTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void withoutYarnsSettingsItPollsNobodyAndSaysWhatToSet() {
    assertThatThrownBy(this::addresses)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("name no ResourceManager")
        .hasMessageContaining("orchestra.prefetch.coordinators");
  }

  @Test
  void theyAreThoseOfYarnsSettings() throws IOException, InvalidConfigurationException {
    conf.set(YarnConfiguration.RM_HA_ENABLED, "true");
    conf.set(YarnConfiguration.RM_HA_IDS, "one,two");
    conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS + ".one", "192.0.2.1:8030");
    conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS + ".two", "192.0.2.2:8030");

    assertThat(addresses())
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("192.0.2.1", "192.0.2.2");
  }

  @Test
  void theyAreThoseOfOursIfThereAreAny() throws IOException, InvalidConfigurationException {
    conf.set("orchestra.prefetch.coordinators", "192.0.2.3");

    assertThat(addresses())
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("192.0.2.3");
  }

  private List<InetSocketAddress> addresses() throws IOException, InvalidConfigurationException {
    return DaemonService.addresses(conf, PrefetchConfig.from(conf).daemon());
  }
}
