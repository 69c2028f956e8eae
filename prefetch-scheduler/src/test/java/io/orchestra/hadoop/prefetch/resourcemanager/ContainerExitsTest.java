package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;

final class ContainerExitsTest {
  private static final long SECOND = 1_000_000_000;

  private final ContainerExits exits = new ContainerExits();
  private final Set<ContainerId> live = new HashSet<>();

  @Test
  void theTimeFromTheEndOfAMapToThatOfItsContainerIsLearnt() {
    run("a", 1);
    run("b", 2);
    exits.finished("a", 10 * SECOND);
    assertThat(exits.ends(10 * SECOND)).isEqualTo(Map.of(container(1), 10 * SECOND));
    assertThat(exits.delay()).isZero();

    look(11 * SECOND);
    assertThat(exits.delay()).as("it is there still").isZero();
    live.remove(container(1));
    look(12 * SECOND);

    assertThat(exits.delay()).isEqualTo(2 * SECOND);
    exits.finished("b", 20 * SECOND);
    assertThat(exits.ends(20 * SECOND)).isEqualTo(Map.of(container(2), 22 * SECOND));
    assertThat(exits.ends(22 * SECOND)).isEqualTo(Map.of(container(2), 22 * SECOND));
  }

  @Test
  void aContainerThatHangsSaysLittle() {
    run("a", 1);
    exits.finished("a", 0);
    live.clear();
    look(1000 * SECOND);

    assertThat(exits.delay()).isEqualTo(10 * SECOND);
  }

  /** Whoever waits for its place would be foretold there again and again. */
  @Test
  void aContainerThatShouldHaveEndedIsExpectedToTakeAsLongAgain() {
    run("a", 1);
    exits.finished("a", 10 * SECOND);
    assertThat(exits.ends(11 * SECOND)).isEqualTo(Map.of(container(1), 12 * SECOND));

    look(40 * SECOND);
    run("a", 1);
    exits.finished("a", 40 * SECOND);
    assertThat(exits.ends(40 * SECOND))
        .as("whatever is said of it meanwhile")
        .isEqualTo(Map.of(container(1), 70 * SECOND));
  }

  @Test
  void aMapThatIsToldOfAgainCountsOnce() {
    run("a", 1);
    exits.finished("a", 0);
    live.clear();
    look(SECOND);
    exits.finished("a", 50 * SECOND);

    assertThat(exits.ends(50 * SECOND)).isEmpty();
  }

  private void run(String attempt, int container) {
    exits.running(attempt, container(container));
    live.add(container(container));
  }

  private void look(long now) {
    exits.look(Set.of("a", "b"), live::contains, now);
  }

  private static ContainerId container(int number) {
    return ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
  }
}
