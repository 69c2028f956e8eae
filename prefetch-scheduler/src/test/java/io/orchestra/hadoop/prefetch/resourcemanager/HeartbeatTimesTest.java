package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.api.Test;

final class HeartbeatTimesTest {
  private static final long MILLI = 1_000_000;
  private static final ApplicationAttemptId MASTER =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);

  private long now = 50_000 * MILLI;
  private final HeartbeatTimes times = new HeartbeatTimes(() -> now, 500, 1000);

  @Test
  void theNextUpdateIsOneIntervalAfterTheLast() {
    now += 3_000 * MILLI;
    times.updated();
    now += 200 * MILLI;

    assertThat(times.updates()).isEqualTo(new Pace(53_500 * MILLI, 500 * MILLI));
  }

  @Test
  void whatIsOverdueIsExpectedAtTheTimeAfter() {
    now += 1_700 * MILLI;

    assertThat(times.updates().first()).isEqualTo(52_000 * MILLI);
  }

  @Test
  void aMastersPeriodIsTheTimeBetweenItsLastTwoCalls() {
    times.heardOf(MASTER);
    assertThat(times.master(MASTER).period()).isEqualTo(1_000 * MILLI);

    now += 400 * MILLI;
    times.heardOf(MASTER);
    now += 100 * MILLI;
    assertThat(times.master(MASTER)).isEqualTo(new Pace(50_800 * MILLI, 400 * MILLI));
  }

  @Test
  void twoCallsInOneAndLongSilenceSayNothingOfThePeriod() {
    times.heardOf(MASTER);
    now += MILLI;
    times.heardOf(MASTER);
    assertThat(times.master(MASTER).period()).isEqualTo(1_000 * MILLI);

    now += 60_000 * MILLI;
    times.heardOf(MASTER);
    assertThat(times.master(MASTER).period()).isEqualTo(1_000 * MILLI);
  }

  @Test
  void aNodeThatIsSilentOrLeavesBringsNothing() {
    long last = now;
    now += 4_800 * MILLI;
    assertThat(times.node(NodeState.RUNNING, last))
        .contains(new Pace(55_000 * MILLI, 1_000 * MILLI));
    assertThat(times.node(NodeState.DECOMMISSIONING, last)).isEmpty();

    now += 300 * MILLI;
    assertThat(times.node(NodeState.RUNNING, last)).isEmpty();
  }

  @Test
  void onlyMastersThatAreKeptAreRemembered() {
    times.heardOf(MASTER);
    times.retain(master -> true);
    assertThat(times.last(MASTER)).isEqualTo(now);

    times.retain(master -> false);
    assertThat(times.last(MASTER)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aForgottenMasterIsLikeOneNeverHeardOf() {
    times.heardOf(MASTER);
    times.forget(MASTER);
    now += 300 * MILLI;

    assertThat(times.master(MASTER)).isEqualTo(new Pace(51_300 * MILLI, 1_000 * MILLI));
  }
}
