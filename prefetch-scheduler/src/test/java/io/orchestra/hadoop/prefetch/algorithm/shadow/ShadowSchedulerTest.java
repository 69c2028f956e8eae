package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class ShadowSchedulerTest {
  private final SmallCluster cluster = new SmallCluster();

  @Test
  void whoeverUsesLeastIsServedFirst() {
    cluster.node("a", "/r1", 5).app("one", 1, Map.of("*", 3)).app("two", 1, Map.of("*", 9));

    assertThat(cluster.heartbeat("a", 0)).containsExactly("one", "two", "one", "two", "one");
  }

  @Test
  void aContainerOfNoSizeEndsWhatAHeartbeatBrings() {
    cluster.node("a", "/r1", 5).app("one", 0, Map.of("*", Integer.MAX_VALUE));
    Ask tooLarge = new Ask(new AskKey(ShadowTask.MAP + 1, 0), ResourceVector.of(100));
    tooLarge.put(Ask.ANYWHERE, 1, true);
    cluster.app("one").ask(tooLarge);

    assertThat(cluster.heartbeat("a", 0)).containsExactly("one");
  }

  @Test
  void withoutSeveralAtOnceAHeartbeatBringsOneContainer() {
    SchedulerRules one = new SchedulerRules(false, true, 0, -1, -1, 0.5, ResourceVector.of(4));
    cluster.with(one).node("a", "/r1", 5).app("one", 1, Map.of("*", 3));

    assertThat(cluster.heartbeat("a", 0)).hasSize(1);
    assertThat(cluster.heartbeat("a", 1)).hasSize(1);
  }

  @Test
  void theDynamicMaximumGoesOnWhileNoMoreThanHalfIsFilled() {
    SchedulerRules half = new SchedulerRules(true, true, 1, -1, -1, 0.5, ResourceVector.of(4));
    cluster.with(half).node("a", "/r1", 8).app("one", 1, Map.of("*", 9));

    // After four containers just half is filled, and one more comes.
    assertThat(cluster.heartbeat("a", 0)).hasSize(5);
  }

  @Test
  void demandIsThatOfTheLastUpdate() {
    cluster.node("a", "/r1", 5).app("one", 1, Map.of("*", 0));
    assertThat(cluster.heartbeat("a", 0)).isEmpty();

    Ask ask = new Ask(new AskKey(ShadowTask.MAP, 0), ResourceVector.of(1));
    ask.put(Ask.ANYWHERE, 2, true);
    cluster.app("one").ask(ask);
    assertThat(cluster.heartbeat("a", 1)).isEmpty();

    cluster.scheduler().update();
    assertThat(cluster.heartbeat("a", 2)).hasSize(2);
  }

  @Test
  void whatHasBeenFreedSinceTheLastUpdateIsInNoDemandAfterTheNext() {
    cluster.node("a", "/r1", 2).app("one", 1, Map.of("*", 2));
    assertThat(cluster.heartbeat("a", 0)).hasSize(2);
    cluster.scheduler().update();
    ResourceVector demand = cluster.scheduler().cluster().root().demand();
    assertThat(demand.value(0)).isEqualTo(2);

    cluster.node("a").containers().get(0).endAt(5);
    assertThat(cluster.heartbeat("a", 5)).isEmpty();
    cluster.scheduler().update();
    assertThat(demand.value(0)).isEqualTo(1);
    assertThat(cluster.app("one").demand().value(0)).isEqualTo(1);
  }

  @Test
  void whatIsFairStaysAsItWasWorkedOutAtTheFirstUpdate() {
    cluster.node("a", "/r1", 6).app("one", 1, Map.of("*", 3)).app("two", 1, Map.of("*", 1));
    cluster.scheduler();
    int divisions = cluster.divisions();
    assertThat(divisions).isPositive();

    cluster.heartbeat("a", 0);
    cluster.scheduler().update();

    assertThat(cluster.divisions()).isEqualTo(divisions);
    assertThat(cluster.app("one").fairShare().value(0)).isEqualTo(3);
    assertThat(cluster.app("two").fairShare().value(0)).isEqualTo(3);
  }

  @Test
  void severalThatEndAtOnceAreAllFreed() {
    cluster.node("a", "/r1", 4).app("one", 1, Map.of("*", 7));
    assertThat(cluster.heartbeat("a", 0)).hasSize(4);
    List<ShadowContainer> first = List.copyOf(cluster.node("a").containers());
    first.get(0).endAt(5);
    first.get(1).endAt(6);
    first.get(3).endAt(6);

    assertThat(cluster.heartbeat("a", 6)).hasSize(3);
    assertThat(cluster.node("a").containers()).contains(first.get(2)).hasSize(4);
  }

  @Test
  void whatHasEndedIsFreedAtTheNextHeartbeatOfItsNode() {
    cluster.node("a", "/r1", 1).app("one", 1, Map.of("*", 2));
    assertThat(cluster.heartbeat("a", 0)).hasSize(1);
    cluster.node("a").containers().get(0).endAt(10);

    assertThat(cluster.heartbeat("a", 9)).isEmpty();
    assertThat(cluster.heartbeat("a", 10)).hasSize(1);
  }

  @Test
  void aQueueNeverExceedsItsLimit() {
    SmallCluster limited = new SmallCluster(3);
    limited.node("a", "/r1", 9).app("one", 2, Map.of("*", 9));

    assertThat(limited.heartbeat("a", 0)).hasSize(1);
  }

  @Test
  void anAskWaitsForItsNodeThenForItsRackThenTakesAny() {
    cluster
        .with(SmallCluster.rules(0.5, 0.5))
        .node("a", "/r1", 9)
        .node("b", "/r1", 9)
        .node("c", "/r2", 9)
        .node("d", "/r3", 9)
        .app("one", 1, Map.of("a", 1, "/r1", 1, "*", 1));

    // Half of four nodes are offered in vain before the next level; the third offer is taken.
    assertThat(cluster.heartbeat("b", 0)).isEmpty();
    assertThat(cluster.heartbeat("b", 1)).isEmpty();
    assertThat(cluster.heartbeat("b", 2)).hasSize(1);
  }

  @Test
  void afterWaitingForTheRackAnyNodeWillDo() {
    cluster
        .with(SmallCluster.rules(0.25, 0.25))
        .node("a", "/r1", 9)
        .node("b", "/r1", 9)
        .node("c", "/r2", 9)
        .node("d", "/r3", 9)
        .app("one", 1, Map.of("a", 1, "/r1", 1, "*", 1));

    int offers = 1;
    while (cluster.heartbeat("d", offers).isEmpty()) {
      offers++;
    }
    assertThat(offers).isEqualTo(4);
  }

  @Test
  void theHungryReserveANodeForALargeContainerAndGetItWhenItFits() {
    cluster
        .node("a", "/r1", 6)
        .node("b", "/r1", 6)
        .app("small", 1, Map.of("*", 6))
        .app("large", 4, Map.of("*", 0));
    cluster.heartbeat("a", 0);
    Ask large = new Ask(new AskKey(ShadowTask.MAP, 0), ResourceVector.of(4));
    large.put(Ask.ANYWHERE, 1, true);
    cluster.app("large").ask(large);
    cluster.scheduler().update();

    cluster.heartbeat("a", 1);
    assertThat(cluster.node("a").reservedBy().name()).isEqualTo("large");

    cluster.node("a").containers().stream().limit(4).forEach(container -> container.endAt(2));
    assertThat(cluster.heartbeat("a", 2)).containsExactly("large");
    assertThat(cluster.node("a").isReserved()).isFalse();
  }

  @Test
  void aReservationThatNobodyNeedsIsGivenUp() {
    cluster.node("a", "/r1", 6).app("one", 1, Map.of("*", 1)).app("gone", 4, Map.of());
    cluster
        .node("a")
        .reserve(cluster.app("gone"), new AskKey(ShadowTask.MAP, 0), ResourceVector.of(4));

    assertThat(cluster.heartbeat("a", 0)).containsExactly("one");
    assertThat(cluster.app("gone").reservations().isEmpty()).isTrue();
  }

  @Property
  void nothingIsGivenTwiceAndSumsStayRight(@ForAll long seed) {
    Random random = new Random(seed);
    SmallCluster any = new SmallCluster(5 + random.nextInt(40));
    List<String> names = List.of("a", "b", "c");
    names.forEach(name -> any.node(name, "/r" + name.charAt(0) % 2, 2 + random.nextInt(8)));
    int wanted = 0;
    for (int number = 0; number < 5; number++) {
      int containers = random.nextInt(6);
      wanted += containers;
      any.app("app" + number, 1 + random.nextInt(3), Map.of("*", containers, "a", 1, "/r1", 1));
    }
    int got = 0;
    for (int beat = 0; beat < 60; beat++) {
      String name = names.get(random.nextInt(3));
      got += any.heartbeat(name, beat).size();
      any.node(name).containers().stream()
          .limit(1)
          .forEach(container -> container.endAt(random.nextInt(60)));
      if (random.nextInt(4) == 0) {
        any.scheduler().update();
      }
      verify(any, names);
    }
    assertThat(got).isLessThanOrEqualTo(wanted);
  }

  /** Where somebody could reserve a node, each application is offered each full node. */
  @Property
  void fullNodesAreCountedAsIfTheyHadBeenOffered(@ForAll long seed) {
    List<List<String>> counted = launches(seed, false);

    assertThat(counted).isEqualTo(launches(seed, true));
    assertThat(counted).anySatisfy(launched -> assertThat(launched).isNotEmpty());
  }

  /** Who got containers at each heartbeat, on nodes that are full most of the time. */
  private static List<List<String>> launches(long seed, boolean mayReserve) {
    Random random = new Random(seed);
    SmallCluster any =
        new SmallCluster(random.nextInt(4) == 0 ? 9 : Long.MAX_VALUE)
            .with(SmallCluster.rules(random.nextDouble(), random.nextDouble()));
    List<String> names = List.of("a", "b", "c", "d", "e", "f");
    names.forEach(name -> any.node(name, "/r" + name.charAt(0) % 3, 1 + random.nextInt(3)));
    for (int number = 0; number < 6; number++) {
      any.app("app" + number, memory(number), Map.of("*", 0));
      ask(any, number, ShadowTask.MAP, names, random);
    }
    if (mayReserve) {
      any.app("never", 100, Map.of("*", 0));
    }
    List<List<String>> launched = new ArrayList<>();
    for (int beat = 0; beat < 300; beat++) {
      String name = names.get(random.nextInt(6));
      launched.add(any.heartbeat(name, beat));
      int end = beat + random.nextInt(100);
      any.node(name).containers().stream()
          .filter(container -> container.end() == ShadowContainer.NEVER)
          .forEach(container -> container.endAt(end));
      switch (random.nextInt(20)) {
        case 0 -> any.scheduler().update();
        case 1, 2 -> ask(any, random.nextInt(6), ShadowTask.MAP, names, random);
        case 3 -> ask(any, random.nextInt(6), ShadowTask.FAILED_MAP, names, random);
        default -> {}
      }
    }
    return launched;
  }

  private static int memory(int app) {
    return 1 + app % 3;
  }

  private static void ask(
      SmallCluster any, int app, int priority, List<String> names, Random random) {
    Ask ask = new Ask(new AskKey(priority, 0), ResourceVector.of(memory(app)));
    int containers = random.nextInt(5);
    ask.put(Ask.ANYWHERE, containers, true);
    if (containers > 0 && random.nextBoolean()) {
      String name = names.get(random.nextInt(6));
      ask.put(name, containers, true);
      ask.put("/r" + name.charAt(0) % 3, containers, random.nextInt(8) > 0);
    }
    any.app("app" + app).ask(ask);
  }

  private static void verify(SmallCluster any, List<String> names) {
    long total = 0;
    for (String name : names) {
      ShadowNode node = any.node(name);
      long used = node.containers().stream().mapToLong(one -> one.capability().value(0)).sum();
      assertThat(node.available().value(0)).isEqualTo(node.total().value(0) - used).isNotNegative();
      total += used;
    }
    ShadowParentQueue root = any.scheduler().cluster().root();
    assertThat(root.usage().value(0)).isEqualTo(total);
    for (ShadowQueue queue : root.members()) {
      assertThat(queue.usage().value(0)).isLessThanOrEqualTo(queue.maxShare().value(0));
      // The order that is kept is the order that sorting would give.
      assertThat(queue.order())
          .containsExactlyElementsOf(
              queue.members().stream()
                  .map(ShadowSchedulable.class::cast)
                  .filter(queue::takesPart)
                  .sorted(queue.policy().comparator())
                  .toList());
    }
  }
}
