package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class OtherTrafficTest {
  private static final long SECOND = 1_000_000_000;
  private static final Link UP = new Link("a", Direction.UP, 1000);
  private static final Link DOWN = new Link("a", Direction.DOWN, 1000);

  private long carriedUp;
  private long carriedDown;
  private long carriedFrom = Long.MIN_VALUE;
  private final List<String> asked = new ArrayList<>();
  private long askedSince;
  private long askedUntil;
  private long pause = SECOND / 2;
  private long now;
  private final OtherTraffic others =
      new OtherTraffic(
          (node, direction, since, until) -> {
            asked.add(node);
            askedSince = since;
            askedUntil = until;
            long rate = direction == Direction.UP ? carriedUp : carriedDown;
            return rate * Math.max(0, until - Math.max(since, carriedFrom)) / (until - since);
          },
          () -> pause);

  @Test
  void whatPrefetchesHaveCarriedIsNotOtherTraffic() {
    carriedUp = 200;
    carriedDown = 700;
    told(800, 650, SECOND);

    assertThat(on(UP)).as("with headers").isEqualTo(589);
    assertThat(on(DOWN)).as("measured a little later").isZero();
    told(800, 650, 3 * SECOND);
    assertThat(askedSince).as("since the last report").isEqualTo(SECOND);
  }

  @Test
  void othersOnAFullLinkWouldTakeMore() {
    carriedUp = 600;
    told(960, 0, SECOND);
    assertThat(on(UP)).as("half of what prefetches have").isEqualTo(684);

    told(940, 0, 2 * SECOND);
    assertThat(on(UP)).as("it is not full").isEqualTo(307);

    carriedUp = 880;
    told(1000, 0, 3 * SECOND);
    assertThat(on(UP)).as("nobody else to speak of").isEqualTo(72);
  }

  @Test
  void whatWasMeasuredOnlyOfLateIsComparedWithWhatPrefetchesCarriedThen() {
    told(800, 0, SECOND);
    now = 3 * SECOND;
    Load load = new Load(OptionalLong.empty(), 900, 0, OptionalLong.of(SECOND / 2));
    others.told("a", "/rack", load, now);

    assertThat(askedSince).isEqualTo(3 * SECOND - SECOND / 2);
    assertThat(on(UP)).isEqualTo(900);

    now += SECOND / 10;
    others.told(
        "a", "/rack", new Load(OptionalLong.empty(), 0, 0, OptionalLong.of(SECOND / 10)), now);
    assertThat(on(UP)).as("a moment").isEqualTo(900);
  }

  /** Its daemon tells again when all that passes the link is more or less. */
  @Test
  void onALinkOfWhichNobodyTellsAChangeOthersHaveWhatPrefetchesHaveGivenUp() {
    carriedUp = 600;
    told(1000, 0, SECOND);
    assertThat(on(UP)).as("half of what prefetches have").isEqualTo(684);

    carriedUp = 300;
    now = SECOND + 7 * SECOND / 10;
    assertThat(on(UP)).as("nobody has had to tell yet").isEqualTo(684);
    now++;
    assertThat(on(UP)).as("it is full still").isEqualTo(842);
    assertThat(askedUntil).as("when that was so").isEqualTo(SECOND + 1);
    assertThat(askedSince).isEqualTo(askedUntil - SECOND / 2);

    carriedUp = 0;
    told("b", "/rack2", 0, 1000);
    assertThat(on(new Link("/rack", Direction.UP, 2000))).isEqualTo(1000);
  }

  @Test
  void manyDaemonsHaveMoreTimeToTellOfAChange() {
    pause = SECOND;
    carriedUp = 600;
    told(1000, 0, SECOND);
    carriedUp = 300;
    now = SECOND + 12 * SECOND / 10;
    assertThat(on(UP)).isEqualTo(684);
    now++;
    assertThat(on(UP)).isEqualTo(842);
  }

  /** What passes the link is more by as much, but its daemon has not told so yet. */
  @Test
  void aPrefetchThatHasJustBegunTakesNothingFromOthers() {
    told(500, 0, SECOND);
    carriedUp = 400;
    carriedFrom = 3 * SECOND;
    now = carriedFrom + pause + SECOND / 5;

    assertThat(on(UP)).isEqualTo(500);
  }

  /** As at its beginning, when it goes on at less than its daemon was told. */
  @Test
  void whatAPrefetchWasTakenToHaveBeyondAllThatPassesIsNotOthersWhenItIsMeasured() {
    carriedUp = 900;
    told(200, 0, SECOND);
    assertThat(on(UP)).isZero();

    carriedUp = 190;
    now = 2 * SECOND;
    assertThat(on(UP)).isZero();
  }

  @Test
  void aMomentSaysNothing() {
    told(100, 0, SECOND);
    told(900, 0, SECOND + SECOND / 10);

    assertThat(on(UP)).isEqualTo(100);
  }

  @Test
  void nothingIsKnownOfAHostWhoseDaemonIsGone() {
    told(100, 0, SECOND);
    others.forget("a");

    assertThat(on(UP)).isZero();
  }

  @Test
  void onTheLinkOfASwitchIsWhatItsHostsSendToOthersAsTheyReceive() {
    told("a", "/dc/rack1", 600, 0);
    assertThat(on(new Link("/dc/rack1", Direction.UP, 1000))).as("to nobody").isZero();

    now += SECOND;
    told("b", "/dc/rack1", 0, 300);
    told("c", "/dc/rack10", 0, 100);
    told("d", "/other/rack", 0, 200);
    assertThat(on(new Link("/dc/rack1", Direction.UP, 1000))).isEqualTo(300);
    assertThat(on(new Link("/dc", Direction.UP, 1000))).isEqualTo(200);
    assertThat(on(new Link("/dc/rack10", Direction.DOWN, 1000))).isEqualTo(100);
    assertThat(on(new Link("/other/rack", Direction.DOWN, 1000))).isEqualTo(200);
    assertThat(on(new Link("/dc/rack1", Direction.DOWN, 1000))).isZero();
  }

  @Test
  void nobodySendsToHimself() {
    told("a", "/rack1", 500, 900);
    told("b", "/rack2", 0, 500);

    assertThat(on(new Link("/rack1", Direction.UP, 1000))).isEqualTo(500);
  }

  @Test
  void whatPrefetchesHaveCarriedOverTheLinkOfASwitchIsNotOtherTraffic() {
    carriedUp = 400;
    told("a", "/rack1", 1000, 0);
    told("b", "/rack2", 422, 578);

    assertThat(on(new Link("/rack1", Direction.UP, 2000))).isEqualTo(578);
    assertThat(on(new Link("/rack1", Direction.DOWN, 1000))).isZero();
    assertThat(on(new Link("/rack1", Direction.UP, 1000)))
        .as("full: half of what prefetches have")
        .isEqualTo(789);
  }

  @Test
  void whoeverMeasuresNoMoreCountsOnNoLinkOfASwitch() {
    told("b", "/rack2", 0, 500);
    now = 6 * SECOND;
    told("a", "/rack1", 500, 0);

    assertThat(on(new Link("/rack1", Direction.UP, 1000))).isZero();
  }

  @Test
  void whatPassesTheLinkOfASwitchIsNotEstimatedAllTheTime() {
    Link up = new Link("/rack1", Direction.UP, 1000);
    told("a", "/rack1", 500, 0);
    assertThat(on(up)).isZero();

    told("b", "/rack2", 0, 500);
    assertThat(on(up)).isZero();
    now += SECOND / 5;
    assertThat(on(up)).isEqualTo(500);
  }

  /** Or each link of a switch would cost as much as all hosts together. */
  @Test
  void whatPrefetchesHaveCarriedIsLookedForOnceForAllLinksOfSwitches() {
    told("a", "/rack1", 500, 0);
    told("b", "/rack2", 0, 500);
    now = SECOND;
    asked.clear();
    for (int look = 0; look < 2; look++) {
      assertThat(on(new Link("/rack1", Direction.UP, 1000))).isEqualTo(500);
      assertThat(on(new Link("/rack2", Direction.DOWN, 1000))).isEqualTo(500);
    }

    assertThat(asked).containsExactlyInAnyOrder("a", "a", "b", "b", "/rack1", "/rack2");
  }

  @Test
  void whoeverMeasuresNoMoreIsForgottenAfterAWhile() {
    told(1000, 0, SECOND);
    now = 6 * SECOND;
    assertThat(on(UP)).isEqualTo(1000);
    now++;
    assertThat(on(UP)).isZero();

    told(100, 0, 60 * SECOND);
    assertThat(on(UP)).isEqualTo(100);
    assertThat(askedSince).as("not since the minute before").isEqualTo(60 * SECOND - SECOND / 2);
  }

  private long on(Link link) {
    return others.on(link, now);
  }

  private void told(long sent, long received, long at) {
    now = at;
    told("a", "/rack", sent, received);
  }

  private void told(String host, String rack, long sent, long received) {
    OptionalLong unsaid = OptionalLong.empty();
    others.told(host, rack, new Load(unsaid, sent, received, unsaid), now);
  }
}
