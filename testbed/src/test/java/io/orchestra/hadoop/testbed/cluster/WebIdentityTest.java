package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.host.Account;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Properties;
import javax.servlet.ServletContext;
import org.apache.hadoop.security.authentication.util.AuthToken;
import org.apache.hadoop.security.authentication.util.Signer;
import org.apache.hadoop.security.authentication.util.SignerSecretProvider;
import org.junit.jupiter.api.Test;

final class WebIdentityTest {
  private static final String SECRET = "0123456789abcdef";

  @Test
  void hadoopTakesTheCookieForItsOwn() throws Exception {
    Instant end = Instant.ofEpochMilli(4_000_000_000_000L);
    String cookie = WebIdentity.cookie(Account.HDFS, SECRET, end);
    AuthToken token = AuthToken.parse(new Signer(new KnownSecret()).verifyAndExtract(cookie));
    assertThat(token.getUserName()).isEqualTo("hdfs");
    assertThat(token.getName()).isEqualTo("hdfs@TESTBED");
    assertThat(token.getType()).isEqualTo("kerberos");
    assertThat(token.getExpires()).isEqualTo(end.toEpochMilli());
    assertThat(token.isExpired()).isFalse();
  }

  private static final class KnownSecret extends SignerSecretProvider {
    @Override
    public void init(Properties config, ServletContext context, long tokenValidity) {}

    @Override
    public byte[] getCurrentSecret() {
      return SECRET.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[][] getAllSecrets() {
      return new byte[][] {getCurrentSecret()};
    }
  }
}
