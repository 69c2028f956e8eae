package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class NameNodesTest {
  private static final String ADDRESS = "dfs.namenode.rpc-address";

  /** As where a DataNode starts while the servers of names do not answer. */
  @Test
  void aNameThatNobodyKnewIsLookedUpAgainAndNobodyWaitsForThat() throws IOException {
    Configuration conf = new Configuration(false);
    // So long a label is no name, and no server is asked for it.
    conf.set(ADDRESS, "x".repeat(64) + ".invalid:8020");
    NameNodes namenodes = new NameNodes(() -> conf, Duration.ZERO);
    Set<InetSocketAddress> first = namenodes.addresses();
    assertThat(first).singleElement().matches(InetSocketAddress::isUnresolved);
    conf.set(ADDRESS, "127.0.0.1:8020");

    assertThat(namenodes.addresses()).as("it begins to look").isEqualTo(first);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(namenodes.addresses())
                    .containsExactly(new InetSocketAddress("127.0.0.1", 8020)));
  }

  @Test
  void anotherConfigurationIsReadAtOnce() throws IOException {
    Configuration[] conf = {new Configuration(false)};
    conf[0].set(ADDRESS, "127.0.0.1:1");
    NameNodes namenodes = new NameNodes(() -> conf[0]);
    assertThat(namenodes.addresses()).containsExactly(new InetSocketAddress("127.0.0.1", 1));
    conf[0] = new Configuration(conf[0]);
    conf[0].set(ADDRESS, "127.0.0.1:2");

    assertThat(namenodes.addresses()).containsExactly(new InetSocketAddress("127.0.0.1", 2));
  }
}
