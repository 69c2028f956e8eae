package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Ticker;
import com.google.common.net.InetAddresses;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Without Kerberos. */
final class DaemonIdentityTest {
  private static final InetAddress ADDRESS = InetAddresses.forString("192.0.2.1");

  private final Caller caller = new Caller("dn", ADDRESS);
  private final List<String> lookedUp = new ArrayList<>();
  private long now;
  private final Ticker clock =
      new Ticker() {
        @Override
        public long read() {
          return now;
        }
      };
  private final DaemonIdentity identity =
      new DaemonIdentity(new Configuration(false), new HostLookup(1, this::lookUp, clock), clock);

  /** The address has two names. */
  private Optional<InetAddress> lookUp(String host) {
    lookedUp.add(host);
    return host.equals("a") || host.equals("alias") ? Optional.of(ADDRESS) : Optional.empty();
  }

  @Test
  void whoWasVerifiedPassesWhateverElseIsClaimedFromHisAddress() throws IOException {
    identity.verify(caller, "a");
    identity.verify(caller, "alias");
    assertThatThrownBy(() -> identity.verify(caller, "another"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("does not speak for the DataNode of another");
    assertThatThrownBy(() -> identity.verify(caller, "one more"))
        .isInstanceOf(AccessControlException.class);

    identity.verify(caller, "a");
    identity.verify(caller, "alias");
    assertThat(lookedUp).containsExactly("a", "alias", "another");
  }

  @Test
  void whoGoesOnCallingIsLookedUpOnceADay() throws IOException {
    for (int minute = 0; minute < 24 * 60; minute++) {
      identity.verify(caller, "a");
      now += Duration.ofMinutes(1).toNanos();
    }
    assertThat(lookedUp).hasSize(1);

    identity.verify(caller, "a");
    assertThat(lookedUp).hasSize(2);
  }

  @Test
  void whoWasSilentForLongIsLookedUpAgain() throws IOException {
    identity.verify(caller, "a");
    now += Duration.ofMinutes(10).toNanos();
    identity.verify(caller, "a");

    assertThat(lookedUp).hasSize(2);
  }
}
