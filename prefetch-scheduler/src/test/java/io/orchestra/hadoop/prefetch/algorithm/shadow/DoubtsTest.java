package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DoubtsTest {
  private long now;
  private final Doubts doubts = new Doubts(0.25, () -> now);

  @Test
  void fourLaunchesThatCameOtherwiseAreEnough() {
    launched("alice", false, 3);
    assertThat(doubts.users()).isEmpty();
    launched("alice", false, 1);
    assertThat(doubts.users()).containsExactly("alice");
  }

  @Test
  void aQuarterThatCameAsForetoldIsEnough() {
    launched("alice", true, 2);
    launched("alice", false, 6);
    assertThat(doubts.users()).as("two of eight").isEmpty();
    launched("alice", false, 1);
    assertThat(doubts.users()).as("two of nine").containsExactly("alice");
    launched("alice", true, 1);
    assertThat(doubts.users()).as("three of ten").isEmpty();
  }

  @Test
  void theLastLaunchesCount() {
    launched("alice", true, 1000);
    launched("alice", false, 12);
    assertThat(doubts.users()).isEmpty();
    launched("alice", false, 1000);
    assertThat(doubts.users()).containsExactly("alice");
    launched("alice", true, 3);
    assertThat(doubts.users()).containsExactly("alice");
    launched("alice", true, 1);
    assertThat(doubts.users()).isEmpty();
  }

  @Test
  void anotherUsersLaunchesTellNothing() {
    launched("alice", false, 16);
    launched("bob", true, 1);
    assertThat(doubts.users()).containsExactly("alice");
    launched("alice", true, 4);
    launched("bob", false, 4);
    assertThat(doubts.users()).containsExactly("bob");
  }

  @Test
  void doubtsEndTenMinutesAfterTheLastLaunch() {
    launched("alice", false, 4);
    now = Duration.ofMinutes(9).toNanos();
    launched("alice", false, 1);
    now = Duration.ofMinutes(18).toNanos();
    assertThat(doubts.users()).containsExactly("alice");
    now = Duration.ofMinutes(19).toNanos();
    assertThat(doubts.users()).isEmpty();
    launched("alice", false, 3);
    assertThat(doubts.users()).isEmpty();
  }

  @Test
  void withoutALimitThereIsNoDoubt() {
    Doubts none = new Doubts(0, () -> now);
    for (int launch = 0; launch < 16; launch++) {
      none.launched("alice", false);
    }
    assertThat(none.users()).isEmpty();
  }

  private void launched(String user, boolean right, int times) {
    for (int launch = 0; launch < times; launch++) {
      doubts.launched(user, right);
    }
  }
}
