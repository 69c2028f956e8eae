package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DoubtfulUsersTest {
  private long now;
  private final DoubtfulUsers doubtful = new DoubtfulUsers(0.25, () -> now);

  @Test
  void fourLaunchesThatCameOtherwiseAreEnough() {
    launched("alice", false, 3);
    assertThat(doubtful.names()).isEmpty();
    launched("alice", false, 1);
    assertThat(doubtful.names()).containsExactly("alice");
  }

  @Test
  void aQuarterThatCameAsForetoldIsEnough() {
    launched("alice", true, 2);
    launched("alice", false, 6);
    assertThat(doubtful.names()).as("two of eight").isEmpty();
    launched("alice", false, 1);
    assertThat(doubtful.names()).as("two of nine").containsExactly("alice");
    launched("alice", true, 1);
    assertThat(doubtful.names()).as("three of ten").isEmpty();
  }

  @Test
  void theLastLaunchesCount() {
    launched("alice", true, 1000);
    launched("alice", false, 12);
    assertThat(doubtful.names()).isEmpty();
    launched("alice", false, 1000);
    assertThat(doubtful.names()).containsExactly("alice");
    launched("alice", true, 3);
    assertThat(doubtful.names()).containsExactly("alice");
    launched("alice", true, 1);
    assertThat(doubtful.names()).isEmpty();
  }

  @Test
  void anotherUsersLaunchesTellNothing() {
    launched("alice", false, 16);
    launched("bob", true, 1);
    assertThat(doubtful.names()).containsExactly("alice");
    launched("alice", true, 4);
    launched("bob", false, 4);
    assertThat(doubtful.names()).containsExactly("bob");
  }

  @Test
  void doubtsEndTenMinutesAfterTheLastLaunch() {
    launched("alice", false, 4);
    now = Duration.ofMinutes(9).toNanos();
    launched("alice", false, 1);
    now = Duration.ofMinutes(18).toNanos();
    assertThat(doubtful.names()).containsExactly("alice");
    now = Duration.ofMinutes(19).toNanos();
    assertThat(doubtful.names()).isEmpty();
    launched("alice", false, 3);
    assertThat(doubtful.names()).isEmpty();
  }

  @Test
  void withoutALimitThereIsNoDoubt() {
    DoubtfulUsers none = new DoubtfulUsers(0, () -> now);
    for (int launch = 0; launch < 16; launch++) {
      none.launched("alice", false);
    }
    assertThat(none.names()).isEmpty();
  }

  private void launched(String user, boolean right, int times) {
    for (int launch = 0; launch < times; launch++) {
      doubtful.launched(user, right);
    }
  }
}
