package io.orchestra.hadoop.testbed.bench.placement;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One experiment of the benchmark, and about how long it takes.
 *
 * @param period after which other links are busy; empty for no background traffic
 * @param policies one for each arm
 * @param warmUps of each arm
 * @param blindTrial how long a trial takes if nobody avoids busy links, preparation apart
 * @param seeingTrial the same if somebody does, or if there are none
 */
record Plan(
    String name,
    Work work,
    String description,
    Optional<Duration> period,
    List<Policy> policies,
    int warmUps,
    Duration blindTrial,
    Duration seeingTrial) {

  /** What is measured. */
  enum Work {
    BLOCKS,
    JOB
  }

  /** Another policy, links settling, replicas and checksums checked. */
  private static final Duration AROUND_TRIAL = Duration.ofSeconds(12);

  /** The time for warm-ups and so many repetitions. */
  Duration time(int repetitions) {
    return policies.stream()
        .map(policy -> policy.seesBusyLinks() ? seeingTrial : blindTrial)
        .map(AROUND_TRIAL::plus)
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(warmUps + repetitions);
  }
}
