package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkTrafficTest {
  private static final long SECOND = 1_000_000_000;

  private final LinkTraffic traffic = new LinkTraffic();

  @Test
  void nothingIsLeftOfALinkThatHasCarriedNothingOfLate() {
    PrefetchFlow flow = new PrefetchFlow(1, "job", "gone", "a");
    Link up = new Link("gone", Direction.UP, 100);
    traffic.changed(flow, List.of(up, new Link("a", Direction.DOWN, 100)), 50, 0);
    traffic.forgetOld(9 * SECOND);
    assertThat(traffic.links()).as("it goes on").isEqualTo(2);
    traffic.changed(flow, List.of(), 0, 10 * SECOND);
    traffic.forgetOld(15 * SECOND);
    assertThat(traffic.carried("gone", Direction.UP, 9 * SECOND, 11 * SECOND)).isEqualTo(25);

    traffic.forgetOld(15 * SECOND + 1);
    assertThat(traffic.links()).isZero();
    assertThat(traffic.carried("gone", Direction.UP, 9 * SECOND, 11 * SECOND)).isZero();
  }
}
