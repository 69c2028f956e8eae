package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.junit.jupiter.api.Test;

final class PeerHandshakeTest {
  private static final String PROTECTION = "dfs.data.transfer.protection";
  private static final String ENCRYPTION = "dfs.encrypt.data.transfer";

  @Test
  void whoIsSecuredByPrivilegedPortsAloneHasNoPeers() {
    assertThatThrownBy(() -> PeerHandshake.require(true, configured(Map.of())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(PROTECTION);
  }

  @Test
  void saslOrEncryptionTellsAPeerFromAStranger() {
    assertThatCode(() -> PeerHandshake.require(true, configured(Map.of(PROTECTION, "privacy"))))
        .doesNotThrowAnyException();
    assertThatCode(() -> PeerHandshake.require(true, configured(Map.of(ENCRYPTION, "true"))))
        .doesNotThrowAnyException();
  }

  @Test
  void withoutKerberosHdfsAsksForNothingEither() {
    assertThatCode(() -> PeerHandshake.require(false, configured(Map.of())))
        .doesNotThrowAnyException();
  }

  private static DNConf configured(Map<String, String> settings) {
    Configuration conf = new Configuration();
    settings.forEach(conf::set);
    return new DNConf(new Configured(conf));
  }
}
