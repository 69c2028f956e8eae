package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many lanes a sender gets whose link is the bottleneck, and what that leaves to others. */
final class BottleneckTest {
  private static final LaneLimits LIMITS =
      new LaneLimits(3, 10, 20, 4, 100, 0, LaneLimits.Memory.NONE);
  private static final LaneLimits WHOLE =
      new LaneLimits(3, 10, 20, 4, 100, LaneLimits.ALL, LaneLimits.Memory.NONE);

  @Test
  void aSenderWhoseLinkMayBeTheBottleneckHasMoreThanItsPart() {
    Lanes<String, String> gated = gated(2, LIMITS);
    Lanes<String, String> lanes = OfferedLanes.weighted(LIMITS);
    for (Lanes<String, String> each : List.of(gated, lanes)) {
      OfferedLanes.offer(each, "hot", 30, 20);
      for (int sender = 0; sender < 5; sender++) {
        OfferedLanes.offer(each, "cold" + sender, 5, 20);
      }
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10)).containsEntry("hot", 8);
    assertThat(OfferedLanes.lanesBySender(lanes, 10)).containsEntry("hot", 5);
  }

  @Test
  void itHasLessMoreIfTheReducersOwnLinkIsAsBusy() {
    Lanes<String, String> gated = gated(2, LIMITS);
    OfferedLanes.offer(gated, "both", 20, 10);
    offer(gated, "one", 10, new Share(10, 10));
    offer(gated, "two", 10, new Share(10, 10));
    offer(gated, "three", 10, new Share(0, 10));
    offer(gated, "four", 10, new Share(0, 10));

    assertThat(OfferedLanes.lanesBySender(gated, 10)).containsEntry("both", 7);
  }

  @Test
  void whereOneLaneIsEnoughItFetchesAllAtOnceBesideABottleneck() {
    Lanes<String, String> gated = gated(2, LIMITS);
    OfferedLanes.offer(gated, "hot", 30, 20);
    for (int sender = 0; sender < 5; sender++) {
      OfferedLanes.offer(gated, "cold" + sender, 5, 20);
    }

    Map<Boolean, List<Chunk<String, String>>> byHot =
        OfferedLanes.take(gated, 10).stream()
            .collect(Collectors.partitioningBy(chunk -> chunk.host().equals("hot")));
    assertThat(byHot.get(true)).allMatch(chunk -> chunk.parts().size() < 4);
    assertThat(byHot.get(false)).isNotEmpty().allMatch(chunk -> chunk.parts().size() == 5);
  }

  @Test
  void aBottleneckThatHasFewOutputsMakesTheLanesOfOthersNoFewerThanItsBytesDo() {
    Lanes<String, String> gated = gated(2, WHOLE);
    OfferedLanes.offer(gated, "hot", 4, 100);
    OfferedLanes.offer(gated, "cold", 10, 20);
    for (int sender = 0; sender < 6; sender++) {
      OfferedLanes.offer(gated, "small" + sender, 1, 1);
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10))
        .containsEntry("hot", 4)
        .containsEntry("cold", 2);
  }

  @Test
  void anotherHotSenderWithFewOutputsHasItsLanesToo() {
    Lanes<String, String> gated =
        gated(3, new LaneLimits(5, 10, 20, 4, 100, LaneLimits.ALL, LaneLimits.Memory.NONE));
    offer(gated, "bottleneck", 10, new Share(4, 13));
    offer(gated, "few", 2, new Share(20, 45));
    for (int sender = 0; sender < 4; sender++) {
      offer(gated, "cold" + sender, 1, new Share(5, 20));
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10)).containsEntry("few", 2);
  }

  @Test
  void aBottleneckBesideAnotherHasAsManyLanesAsItHasOutputs() {
    Lanes<String, String> gated = gated(3, WHOLE);
    offer(gated, "few", 3, new Share(50, 150));
    offer(gated, "many", 30, new Share(5, 15));
    for (int sender = 0; sender < 6; sender++) {
      offer(gated, "cold" + sender, 1, new Share(16, 32));
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10)).containsEntry("few", 3);
  }

  @Test
  void lanesThatOneSenderMayNotHaveGoToOthersInProportion() {
    Lanes<String, String> gated = gated(20, LIMITS);
    offer(gated, "bottleneck", 10, new Share(50, 1000));
    offer(gated, "large", 10, new Share(20, 400));
    offer(gated, "middle", 10, new Share(10, 200));
    for (int sender = 0; sender < 10; sender++) {
      offer(gated, "small" + sender, 10, new Share(2, 40));
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10))
        .containsEntry("bottleneck", 4)
        .containsEntry("large", 2)
        .containsEntry("middle", 1);
  }

  @Test
  void oneThatDoesNotAnswerMakesRequestsToOthersNoLonger() {
    Lanes<String, String> gated = gated(2, LIMITS);
    OfferedLanes.offer(gated, "bottleneck", 20, 10);
    OfferedLanes.offer(gated, "one", 20, 5);
    OfferedLanes.offer(gated, "two", 20, 5);
    for (int sender = 0; sender < 2; sender++) {
      OfferedLanes.offer(gated, "small" + sender, 1, 1);
    }
    gated.penalise("bottleneck");

    assertThat(OfferedLanes.take(gated, 4))
        .hasSize(4)
        .extracting(Chunk::bytes)
        .allMatch(bytes -> bytes <= 30);
  }

  @Test
  void ofTwoLanesItHasOne() {
    Lanes<String, String> gated = gated(2, LIMITS);
    offer(gated, "bottleneck", 10, new Share(1, 40));
    offer(gated, "cold", 10, new Share(1, 2));
    for (int sender = 0; sender < 3; sender++) {
      offer(gated, "small" + sender, 1, new Share(1, 2));
    }

    assertThat(OfferedLanes.lanesBySender(gated, 10)).isEqualTo(Map.of("bottleneck", 1, "cold", 1));
  }

  private static Lanes<String, String> gated(int reducers, LaneLimits limits) {
    return new Lanes<>(reducers, limits, Gate.HOT_SENDER, new Random(1));
  }

  private static void offer(Lanes<String, String> lanes, String sender, int outputs, Share size) {
    for (int output = 0; output < outputs; output++) {
      lanes.add(sender, sender + "/" + output);
      lanes.measure(sender + "/" + output, size, size.own());
    }
  }
}
