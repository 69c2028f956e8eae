package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class VainCopiesTest {
  private final VainCopies copies = new VainCopies();
  private long now = -1_000_000_000;

  @Test
  void theyComeEverMoreSeldomButEveryHalfHour() {
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(2));
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(4));
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(8));
    for (int copy = 0; copy < 100; copy++) {
      Duration unused = restAfterAnother();
    }
    assertThat(restAfterAnother()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void oneThatIsWholeEndsThat() {
    for (int copy = 0; copy < 10; copy++) {
      Duration unused = restAfterAnother();
    }
    copies.end();

    assertThat(copies.rest(now)).isFalse();
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void someInARowAreRemarkedOnce() {
    assertThat(copies.another(now)).isFalse();
    assertThat(copies.another(now)).isFalse();
    assertThat(copies.another(now)).isTrue();
    assertThat(copies.another(now)).isFalse();

    copies.end();
    assertThat(copies.another(now)).isFalse();
    assertThat(copies.another(now)).isFalse();
    assertThat(copies.another(now)).isTrue();
  }

  @Test
  void thereIsNoRestBeforeTheFirst() {
    assertThat(copies.rest(now)).isFalse();
  }

  /** In whole seconds. */
  private Duration restAfterAnother() {
    boolean unused = copies.another(now);
    long begin = now;
    while (copies.rest(now)) {
      now += Duration.ofSeconds(1).toNanos();
    }
    return Duration.ofNanos(now - begin);
  }
}
