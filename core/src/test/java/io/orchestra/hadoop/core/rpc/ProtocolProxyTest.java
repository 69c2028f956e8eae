package io.orchestra.hadoop.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProtocolProxyTest {

  /** Between attempts Hadoop's client pauses for up to ten seconds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ipc.client.connect.max.retries",
        "ipc.client.connect.max.retries.on.timeouts",
        "ipc.client.connect.max.retries.on.sasl"
      })
  void nothingIsTriedAgain(String retries) {
    Configuration daemon = new Configuration();
    daemon.setInt(retries, 7);
    assertThat(ProtocolProxy.impatient(daemon, 1000).getInt(retries, -1)).isZero();
    assertThat(daemon.getInt(retries, -1)).isEqualTo(7);
  }
}
