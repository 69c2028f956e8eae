package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class OtherTrafficTest {
  private static final long SECOND = 1_000_000_000;
  private static final Link UP = new Link("a", Direction.UP, 1000);
  private static final Link DOWN = new Link("a", Direction.DOWN, 1000);

  private long carriedUp;
  private long carriedDown;
  private long askedSince;
  private long now;
  private final OtherTraffic others =
      new OtherTraffic(
          (host, direction, since, until) -> {
            askedSince = since;
            return direction == Direction.UP ? carriedUp : carriedDown;
          });

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
  void aMomentSaysNothing() {
    told(100, 0, SECOND);
    told(900, 0, SECOND + SECOND / 10);

    assertThat(on(UP)).isEqualTo(100);
  }

  @Test
  void nothingIsKnownOfLinksNobodyMeasures() {
    told(100, 0, SECOND);
    assertThat(on(new Link("/rack", Direction.UP, 1000))).isZero();

    others.forget("a");
    assertThat(on(UP)).isZero();
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
    others.told("a", new Load(OptionalLong.empty(), sent, received), at);
  }
}
