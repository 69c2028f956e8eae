package io.orchestra.hadoop.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class UnansweredPlacementsTest {
  private static final long SECOND = 1_000_000_000;

  private final UnansweredPlacements placements =
      new UnansweredPlacements(
          Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(150));
  private long now = -3 * SECOND;
  private long blocks = 5;
  private boolean receiving;

  @Test
  void aHostThatWasNeverChosenIsTrusted() {
    assertThat(tick(0)).isZero();
    assertThat(trusted()).isTrue();
  }

  @Test
  void aHostThatTakesNothingLosesTrustForAWhile() {
    tick(0);
    placements.placed("h", now);
    placements.placed("h", now);
    for (int second = 1; second < 10; second++) {
      assertThat(tick(1000)).isZero();
      assertThat(trusted()).isTrue();
    }
    assertThat(tick(1000)).isEqualTo(2);
    assertThat(trusted()).isFalse();

    now += 59 * SECOND;
    assertThat(trusted()).isFalse();
    now += SECOND;
    assertThat(trusted()).isTrue();
  }

  @Test
  void theNextTimeIsTwiceAsLongUpToALimit() {
    assertThat(secondsWithoutTrust()).isEqualTo(60);
    assertThat(secondsWithoutTrust()).isEqualTo(120);
    assertThat(secondsWithoutTrust()).isEqualTo(150);
    assertThat(secondsWithoutTrust()).isEqualTo(150);
  }

  @Test
  void aNewBlockIsAnAnswer() {
    tick(0);
    placements.placed("h", now);
    tick(0);
    blocks++;
    for (int second = 0; second < 60; second++) {
      assertThat(tick(0)).isZero();
    }
    assertThat(trusted()).isTrue();
  }

  @Test
  void deletedBlocksAreNoAnswer() {
    tick(0);
    placements.placed("h", now);
    int lost = 0;
    for (int second = 0; second < 12; second++) {
      blocks = Math.max(0, blocks - 1);
      lost += tick(0);
    }
    assertThat(lost).isEqualTo(1);
  }

  @Test
  void moreTrafficThanBeforeIsAnAnswerAndTheSameTrafficIsNone() {
    tick(50 << 20);
    placements.placed("h", now);
    int lost = 0;
    for (int second = 0; second < 12; second++) {
      lost += tick(50 << 20);
    }
    assertThat(lost).isEqualTo(1);

    for (int second = 0; second < 60; second++) {
      tick(50 << 20);
    }
    placements.placed("h", now);
    for (int second = 0; second < 30; second++) {
      assertThat(tick(52 << 20)).isZero();
    }
    assertThat(trusted()).isTrue();
  }

  @Test
  void anAnswerRestoresTrustInFull() {
    assertThat(secondsWithoutTrust()).isEqualTo(60);
    placements.placed("h", now);
    blocks++;
    tick(0);
    assertThat(secondsWithoutTrust()).isEqualTo(60);
  }

  @Test
  void aReplicaThatMayBeOnItsWayForLongerIsWaitedForLonger() {
    placements.placed("h", Duration.ofSeconds(60), now);
    for (int second = 0; second < 59; second++) {
      tick(0);
    }
    assertThat(trusted()).isTrue();
    tick(0);
    tick(0);
    assertThat(trusted()).isFalse();
  }

  @Test
  void whatIsDueFirstDecides() {
    placements.placed("h", Duration.ofSeconds(60), now);
    tick(0);
    placements.placed("h", now);
    placements.placed("h", Duration.ofSeconds(60), now);
    for (int second = 0; second < 11; second++) {
      tick(0);
    }
    assertThat(trusted()).isFalse();
  }

  @Test
  void aLateAnswerEndsTheBan() {
    placements.placed("h", now);
    for (int second = 0; second < 11; second++) {
      tick(0);
    }
    assertThat(trusted()).isFalse();
    blocks++;
    tick(0);
    assertThat(trusted()).isTrue();
    assertThat(secondsWithoutTrust()).isEqualTo(60);
  }

  @Test
  void aHostThatDoesNotSayWhatItReceivesIsNotJudged() {
    tick(0);
    placements.placed("h", now);
    for (int second = 0; second < 30; second++) {
      now += SECOND;
      assertThat(placements.observe("h", blocks, OptionalDouble.empty(), false, now)).isZero();
    }
    for (int second = 0; second < 10; second++) {
      assertThat(tick(0)).isZero();
    }
    assertThat(tick(0)).isOne();
  }

  @Test
  void aHostThatWasNotLookedAtIsNotJudged() {
    tick(0);
    placements.placed("h", now);
    now += 20 * SECOND;
    assertThat(tick(0)).isZero();
    assertThat(trusted()).isTrue();
  }

  @Test
  void aHostThatIsSeldomLookedAtIsJudgedToo() {
    tick(0);
    tick(0);
    int lost = 0;
    placements.placed("h", now);
    for (int look = 0; look < 4; look++) {
      now += 19 * SECOND;
      lost += tick(0);
    }
    assertThat(lost).isOne();
  }

  /** It had that traffic before, too. */
  @Test
  void whatAHostReceivesAfterASilenceIsNoAnswer() {
    now += SECOND;
    placements.observe("h", blocks, OptionalDouble.empty(), false, now);
    placements.placed("h", now);
    now += SECOND;
    placements.observe("h", blocks, OptionalDouble.empty(), false, now);
    int lost = 0;
    for (int second = 0; second < 12; second++) {
      lost += tick(50 << 20);
    }
    assertThat(lost).isOne();
  }

  @Test
  void forgottenHostsAreTrusted() {
    secondsWithoutTrust();
    placements.placed("h", now);
    for (int second = 0; second < 11; second++) {
      tick(0);
    }
    assertThat(trusted()).isFalse();
    placements.retain(Set.of("other"));
    assertThat(trusted()).isTrue();
  }

  @Test
  void aBlockThatIsBeingReceivedIsAnAnswer() {
    receiving = true;
    placements.placed("h", now);
    for (int second = 0; second < 20; second++) {
      assertThat(tick(0)).isZero();
    }

    assertThat(trusted()).isTrue();
  }

  private int secondsWithoutTrust() {
    placements.placed("h", now);
    for (int second = 0; second < 11 && trusted(); second++) {
      tick(0);
    }
    int seconds = 0;
    for (; !trusted(); seconds++) {
      now += SECOND;
    }
    return seconds;
  }

  private int tick(double received) {
    now += SECOND;
    return placements.observe("h", blocks, OptionalDouble.of(received), receiving, now);
  }

  private boolean trusted() {
    return placements.isTrusted("h", now);
  }
}
