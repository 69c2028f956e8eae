package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestra.hadoop.prefetch.algorithm.shadow.TaskMatcher.Match;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class TaskMatcherTest {
  private final SmallCluster cluster =
      new SmallCluster()
          .node("a", "/r1", 9)
          .node("b", "/r1", 9)
          .node("c", "/r2", 9)
          .app("app", 1, Map.of());

  @Test
  void allContainersLookForALocalMapBeforeAnyLooksFarther() {
    TaskMatcher matcher =
        new TaskMatcher(
            List.of(map("1", "c", "/r2"), map("2", "a", "/r1"), map("3", "a", "/r1")), 0);

    // The container on b comes first, but those on a and c take their maps before it.
    assertThat(matcher.match(List.of(on("b"), on("a"), on("c"))))
        .extracting(match -> match.container().node().name(), match -> match.task().id())
        .containsExactly(tuple("a", "2"), tuple("c", "1"), tuple("b", "3"));
  }

  @Test
  void thenTheRacksFirstMapThenTheFirstThereIs() {
    TaskMatcher matcher = new TaskMatcher(List.of(map("1", "c", "/r2"), map("2", "a", "/r1")), 0);

    assertThat(matcher.match(List.of(on("b"), on("b"))))
        .extracting(match -> match.task().id() + " " + match.locality())
        .containsExactly("2 RACK_LOCAL", "1 OFF_SWITCH");
  }

  @Test
  void failedMapsAndReducesAreServedInTheirTurnWithoutRegardToHosts() {
    TaskMatcher matcher =
        new TaskMatcher(List.of(task("failed", ShadowTask.FAILED_MAP), map("1", "a", "/r1")), 1);

    assertThat(
            matcher.match(
                List.of(
                    on("a", ShadowTask.MAP),
                    on("b", ShadowTask.FAILED_MAP),
                    on("c", ShadowTask.REDUCE),
                    on("c", ShadowTask.REDUCE))))
        .extracting(match -> match.task().id())
        .containsExactlyInAnyOrder("1", "failed", "reduce 0");
    assertThat(matcher.waiting()).isZero();
  }

  @Test
  void howeverManyReducesAreAskedForOnlyThoseThatAreServedAreTasks() {
    TaskMatcher matcher = new TaskMatcher(List.of(), Integer.MAX_VALUE);

    assertThat(matcher.match(List.of(on("a", ShadowTask.REDUCE), on("b", ShadowTask.REDUCE))))
        .extracting(match -> match.task().id())
        .containsExactly("reduce 0", "reduce 1");
    assertThat(matcher.waiting()).isEqualTo(Integer.MAX_VALUE - 2);
  }

  @Test
  void atAPriorityThatMapReduceDoesNotAskAtNoMapIsServed() {
    TaskMatcher matcher = new TaskMatcher(List.of(map("1", "a", "/r1")), 0);

    assertThat(matcher.match(List.of(on("a", 21), on("a", 0)))).isEmpty();
    assertThat(matcher.waiting()).isEqualTo(1);
  }

  @Test
  void aFailedMapThatComesToItsInputIsLocalAllTheSame() {
    ShadowTask failed =
        new ShadowTask("failed", ShadowTask.FAILED_MAP, List.of("a"), List.of("/r1"), 1);

    for (String node : List.of("a", "b", "c")) {
      assertThat(
              new TaskMatcher(List.of(failed), 0).match(List.of(on(node, ShadowTask.FAILED_MAP))))
          .extracting(Match::locality)
          .containsExactly(
              switch (node) {
                case "a" -> Locality.NODE_LOCAL;
                case "b" -> Locality.RACK_LOCAL;
                default -> Locality.OFF_SWITCH;
              });
    }
    assertThat(failed.askedPlaces()).isEmpty();
  }

  @Property
  void everyMapIsServedOnceAndNoLocalOneIsPassedOver(@ForAll long seed) {
    Random random = new Random(seed);
    List<String> hosts = List.of("a", "b", "c");
    List<ShadowTask> maps = new ArrayList<>();
    for (int number = 0; number < random.nextInt(10); number++) {
      String host = hosts.get(random.nextInt(3));
      maps.add(map("map" + number, host, cluster.node(host).rack()));
    }
    TaskMatcher matcher = new TaskMatcher(maps, 0);
    Set<ShadowTask> served = new HashSet<>();
    int containers = 0;
    for (int round = 0; round < 4; round++) {
      List<ShadowContainer> together = new ArrayList<>();
      for (int number = 0; number < random.nextInt(5); number++) {
        together.add(on(hosts.get(random.nextInt(3))));
      }
      containers += together.size();
      List<Match> matches = matcher.match(together);
      for (Match match : matches) {
        assertThat(served.add(match.task())).isTrue();
      }
      for (Match match : matches) {
        String host = match.container().node().name();
        if (match.locality() != Locality.NODE_LOCAL) {
          assertThat(maps).filteredOn(map -> map.hosts().contains(host)).allMatch(served::contains);
        }
        assertThat(match.task().hosts().contains(host))
            .isEqualTo(match.locality() == Locality.NODE_LOCAL);
      }
      assertThat(served).hasSize(Math.min(maps.size(), containers));
    }
  }

  private ShadowContainer on(String node) {
    return on(node, ShadowTask.MAP);
  }

  private ShadowContainer on(String node, int priority) {
    return new ShadowContainer(
        cluster.app("app"), cluster.node(node), new AskKey(priority, 0), ResourceVector.of(1));
  }

  private static ShadowTask map(String id, String host, String rack) {
    return new ShadowTask(id, ShadowTask.MAP, List.of(host), List.of(rack), 1);
  }

  private static ShadowTask task(String id, int priority) {
    return new ShadowTask(id, priority, List.of(), List.of(), 1);
  }
}
