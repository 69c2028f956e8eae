package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BannedPeersTest {
  private long now;
  private final BannedPeers banned =
      new BannedPeers(
          new Ticker() {
            @Override
            public long read() {
              return now;
            }
          });

  @Test
  void whoHasSentWhatWasWrongIsAskedAgainAfterSomeMinutes() {
    assertThat(banned.contain("liar")).isFalse();
    banned.ban("liar");
    assertThat(banned.contain("liar")).isTrue();
    assertThat(banned.contain("another")).isFalse();
    now += Duration.ofMinutes(4).toNanos();
    assertThat(banned.contain("liar")).isTrue();
    now += Duration.ofMinutes(1).toNanos();
    assertThat(banned.contain("liar")).isFalse();
  }

  @Test
  void soManyAreRememberedAndNoMore() {
    for (int datanode = 0; datanode < 5000; datanode++) {
      banned.ban("liar" + datanode);
    }
    int remembered = 0;
    for (int datanode = 0; datanode < 5000; datanode++) {
      remembered += banned.contain("liar" + datanode) ? 1 : 0;
    }
    assertThat(remembered).isLessThanOrEqualTo(1000);
    assertThat(banned.contain("liar4999")).isTrue();
  }
}
