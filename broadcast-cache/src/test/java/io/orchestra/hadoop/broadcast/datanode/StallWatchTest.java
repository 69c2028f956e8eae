package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class StallWatchTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final DownloadProgress progress = new DownloadProgress(100, 0, 0);
  private final StallWatch watch = new StallWatch(config(), progress, 1 << 20, 0);

  private static BroadcastConfig config() {
    try {
      return BroadcastConfig.from(new Configuration(false));
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatBringsNothingForTheLimitIsGivenUp() {
    tickUntil(5 * SECOND);
    assertThat(watch.verdict(5 * SECOND, true, 5 * SECOND)).isEmpty();
    assertThat(watch.verdict(5 * SECOND + 1, true, 5 * SECOND + 1)).isPresent();
  }

  @Test
  void withoutReplicasThereIsTimeToAskOthers() {
    tickUntil(7 * SECOND);
    assertThat(watch.verdict(7 * SECOND, false, 7 * SECOND)).isEmpty();
    assertThat(watch.verdict(8 * SECOND, false, 7 * SECOND + 1)).isPresent();
  }

  @Test
  void bytesThatNeverMakeAPieceDoNotKeepAFile() {
    // Twice the limit and what a piece takes at 64 KiB/s, and half of the limit.
    long longest = (2 * 5 + 16) * SECOND + 5 * SECOND / 2;
    tickUntil(longest);
    assertThat(watch.verdict(0, true, longest)).isEmpty();
    assertThat(watch.verdict(0, true, longest + 1)).isPresent();
  }

  @Test
  void whoHasStoodStillHimselfBlamesNobody() {
    assertThat(watch.verdict(60 * SECOND, true, 60 * SECOND)).isEmpty();
    assertThat(watch.verdict(60 * SECOND + 1, true, 60 * SECOND + 1)).isPresent();
  }

  @Test
  void othersAreAskedForMoreAndMoreRarelyWhileNothingComes() {
    int asked = 0;
    for (long now = 0; now < 60 * SECOND; now += SECOND / 10) {
      asked += watch.needsMore(now, now) ? 1 : 0;
    }
    assertThat(asked).isBetween(4, 6);
    assertThat(watch.needsMore(0, 60 * SECOND)).isFalse();
    assertThat(watch.needsMore(2 * SECOND, 62 * SECOND)).as("something has come").isTrue();
  }

  private void tickUntil(long end) {
    for (long now = 0; now < end; now += SECOND / 2) {
      assertThat(watch.verdict(0, true, now)).isEmpty();
    }
  }
}
