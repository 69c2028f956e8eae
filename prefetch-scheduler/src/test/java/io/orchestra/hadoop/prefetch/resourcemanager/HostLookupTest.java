package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.base.Ticker;
import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HostLookupTest {
  private static final InetAddress A = InetAddresses.forString("192.0.2.1");
  private static final InetAddress B = InetAddresses.forString("192.0.2.2");
  private static final InetAddress C = InetAddresses.forString("192.0.2.3");
  private static final Map<String, InetAddress> HOSTS = Map.of("a", A, "b", B, "c", C);

  private final CountDownLatch slowOnes = new CountDownLatch(1);
  private final List<String> lookedUp = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile long now;
  private final HostLookup hosts =
      new HostLookup(
          2,
          this::lookUp,
          new Ticker() {
            @Override
            public long read() {
              return now;
            }
          });

  private Optional<InetAddress> lookUp(String host) {
    lookedUp.add(host);
    if (host.startsWith("slow")) {
      Uninterruptibles.awaitUninterruptibly(slowOnes);
    }
    return Optional.ofNullable(HOSTS.get(host));
  }

  @AfterEach
  void end() {
    slowOnes.countDown();
    threads.shutdownNow();
  }

  @Test
  void whoNamesAHostThatIsNotHisHasNoOtherLookedUpForAWhile() throws IOException {
    assertThat(hosts.isAt(A, "b")).isFalse();
    assertThatIsNotLookedUp(A, "another");
    assertThatIsNotLookedUp(A, "a");
    assertThat(hosts.isAt(B, "b")).isTrue();

    now = Duration.ofSeconds(10).toNanos();
    assertThat(hosts.isAt(A, "a")).isTrue();
    assertThat(hosts.isAt(A, "a")).isTrue();
    assertThat(lookedUp).containsExactly("b", "b", "a", "a");
  }

  /** He may be who he says he is, and could not be verified. */
  @Test
  void whoAsksAgainWhileHeRestsRestsNoLongerForThat() throws IOException {
    assertThat(hosts.isAt(A, "unknown yet")).isFalse();
    for (int second = 1; second < 10; second++) {
      now = Duration.ofSeconds(second).toNanos();
      assertThatIsNotLookedUp(A, "a");
    }

    now = Duration.ofSeconds(10).toNanos();
    assertThat(hosts.isAt(A, "a")).isTrue();
  }

  @Test
  void ofAnAddressOneNameIsLookedUpAtATime() throws Exception {
    Future<Boolean> slow = threads.submit(() -> hosts.isAt(A, "slow"));
    await().until(() -> lookedUp.size() == 1);

    assertThatIsNotLookedUp(A, "slower");
    assertThatIsNotLookedUp(A, "a");
    assertThat(hosts.isAt(B, "b")).isTrue();

    slowOnes.countDown();
    assertThat(slow.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(lookedUp).containsExactly("slow", "b");
  }

  @Test
  void namesThatAreSlowTakeNotAllThreadsAndWhoWasRefusedMeanwhileNeedNotRest() throws Exception {
    Future<Boolean> first = threads.submit(() -> hosts.isAt(A, "slow one"));
    Future<Boolean> second = threads.submit(() -> hosts.isAt(B, "slow two"));
    await().until(() -> lookedUp.size() == 2);

    assertThatIsNotLookedUp(C, "c");

    slowOnes.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(second.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(hosts.isAt(C, "c")).isTrue();
  }

  private void assertThatIsNotLookedUp(InetAddress address, String host) {
    int before = lookedUp.size();
    assertThatThrownBy(() -> hosts.isAt(address, host))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("ask again in a few seconds");
    assertThat(lookedUp).hasSize(before);
  }
}
