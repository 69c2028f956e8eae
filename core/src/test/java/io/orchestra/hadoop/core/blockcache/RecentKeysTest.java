package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RecentKeysTest {
  private long now = Long.MAX_VALUE - 1;
  private final RecentKeys<String> keys = new RecentKeys<>(3, Duration.ofNanos(10), () -> now);

  @Test
  void aKeyIsThereForItsTimeWhoeverAddsItAgainMeanwhile() {
    assertThat(keys.contains("a")).isFalse();
    assertThat(keys.add("a")).isTrue();
    now += 9;
    assertThat(keys.add("a")).isFalse();
    assertThat(keys.contains("a")).isTrue();
    now++;
    assertThat(keys.contains("a")).isFalse();
    assertThat(keys.add("a")).isTrue();
    assertThat(keys.contains("a")).isTrue();
  }

  @Test
  void theOldestMakesRoom() {
    for (String key : new String[] {"a", "b", "c", "d"}) {
      assertThat(keys.add(key)).isTrue();
      now++;
    }

    assertThat(keys.contains("a")).isFalse();
    assertThat(keys.contains("b")).isTrue();
    assertThat(keys.contains("d")).isTrue();
  }
}
