package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class VainPredictionsTest {
  private final VainPredictions predictions = new VainPredictions();
  private long now = -1_000_000_000;

  @Test
  void theyComeEverMoreSeldomButEveryHalfHour() {
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(2));
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(4));
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(8));
    for (int prediction = 0; prediction < 100; prediction++) {
      Duration unused = restAfterAnother();
    }
    assertThat(restAfterAnother()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void oneThatIsWholeEndsThat() {
    for (int prediction = 0; prediction < 10; prediction++) {
      Duration unused = restAfterAnother();
    }
    predictions.end();

    assertThat(predictions.rest(now)).isFalse();
    assertThat(restAfterAnother()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void someInARowAreRemarkedOnce() {
    assertThat(predictions.another(now)).isFalse();
    assertThat(predictions.another(now)).isFalse();
    assertThat(predictions.another(now)).isTrue();
    assertThat(predictions.another(now)).isFalse();

    predictions.end();
    assertThat(predictions.another(now)).isFalse();
    assertThat(predictions.another(now)).isFalse();
    assertThat(predictions.another(now)).isTrue();
  }

  @Test
  void thereIsNoRestBeforeTheFirst() {
    assertThat(predictions.rest(now)).isFalse();
  }

  /** In whole seconds. */
  private Duration restAfterAnother() {
    boolean unused = predictions.another(now);
    long begin = now;
    while (predictions.rest(now)) {
      now += Duration.ofSeconds(1).toNanos();
    }
    return Duration.ofNanos(now - begin);
  }
}
