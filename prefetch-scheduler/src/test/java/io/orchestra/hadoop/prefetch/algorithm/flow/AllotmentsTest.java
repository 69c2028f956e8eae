package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class AllotmentsTest {
  private static final NetworkTree NETWORK =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .switchCapacity("/r1", 120)
          .switchCapacity("/r2", 120)
          .build();

  private final Allotments allotments = new Allotments(NETWORK, 0.9, link -> 0);

  @Test
  void aFlowBetweenRacksPassesFourLinks() {
    assertThat(allotments.path(flow(1, "a", "c")))
        .containsExactly(
            new Link("a", Direction.UP, 100),
            new Link("/r1", Direction.UP, 120),
            new Link("/r2", Direction.DOWN, 120),
            new Link("c", Direction.DOWN, 100));
  }

  @Test
  void aFlowWithinARackPassesTwoAndOneWithinAHostNone() {
    assertThat(allotments.path(flow(1, "a", "b"))).extracting(Link::node).containsExactly("a", "b");
    assertThat(allotments.path(flow(1, "a", "a"))).isEmpty();
  }

  @Test
  void theNarrowestLinkSaysHowOversubscribedAFlowsPathIs() {
    assertThat(allotments.subscription(flow(1, "a", "c"))).as("120 of 200").isEqualTo(0.6);
    assertThat(allotments.subscription(flow(1, "a", "b"))).as("no switch's link").isEqualTo(1);
    assertThat(allotments.subscription(flow(1, "a", "a"))).isEqualTo(1);
  }

  @Test
  void aLinkOfWhichNobodySaysWhatItCarriesIsNotOversubscribed() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/dc1/r1", 60)
            .host("b", "/dc1/r1", 60)
            .host("c", "/dc1/r2", 600)
            .host("d", "/dc2/r3", 100)
            .switchCapacity("/dc1/r2", 120)
            .build();
    Allotments deep = new Allotments(tree, 1, link -> 0);

    assertThat(deep.subscription(flow(1, "a", "d"))).as("neither 240 of 720").isEqualTo(1);
    assertThat(deep.subscription(flow(1, "c", "d"))).isEqualTo(0.2);
  }

  @Test
  void directionsDoNotShareCapacity() {
    allotments.allot(flow(1, "a", "b"), 60);

    assertThat(allotments.capacity(new Link("a", Direction.UP, 100))).isEqualTo(30);
    assertThat(allotments.capacity(new Link("a", Direction.DOWN, 100))).isEqualTo(90);
    assertThat(allotments.capacity(new Link("b", Direction.DOWN, 100))).isEqualTo(30);
  }

  @Test
  void anotherRateReplacesTheFirst() {
    allotments.allot(flow(1, "a", "b"), 60);
    allotments.allot(flow(1, "a", "b"), 20);

    assertThat(allotments.rate(flow(1, "a", "b"))).isEqualTo(20);
    assertThat(allotments.capacity(new Link("a", Direction.UP, 100))).isEqualTo(70);
  }

  @Test
  void otherTrafficIsSubtractedWhereItCannotBeHeldBack() {
    Allotments shared =
        new Allotments(NETWORK, 0.9, link -> link.direction() == Direction.UP ? 200 : 10);

    assertThat(shared.capacity(new Link("a", Direction.UP, 100))).isEqualTo(-110);
    assertThat(shared.capacity(new Link("a", Direction.DOWN, 100))).isEqualTo(80);
  }

  @Test
  void anUnknownHostIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> allotments.allot(flow(1, "a", "z"), 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("z");
    assertThat(allotments.flows()).isEmpty();
  }

  @Test
  void flowsKeepTheirRatesInAnotherNetworkUnlessTheirHostIsGone() {
    allotments.allot(flow(1, "a", "b"), 60);
    allotments.allot(flow(2, "a", "c"), 20);

    allotments.network(NetworkTree.builder().host("a", "/r1", 200).host("b", "/r1", 100).build());

    assertThat(allotments.flows()).containsExactly(flow(1, "a", "b"));
    assertThat(allotments.capacity(new Link("a", Direction.UP, 200))).isEqualTo(120);
    assertThat(allotments.knows("c")).isFalse();
  }

  @Test
  void linksOfOtherCapacitiesLeaveNothingOfThoseThatWere() {
    allotments.allot(flow(1, "a", "b"), 60);
    for (int capacity = 100; capacity <= 110; capacity++) {
      allotments.network(
          NetworkTree.builder().host("a", "/r1", capacity).host("b", "/r1", 100).build());
    }

    assertThat(allotments.links())
        .containsExactlyInAnyOrder(
            new Link("a", Direction.UP, 110), new Link("b", Direction.DOWN, 100));
  }

  @Property
  void booksBalanceAfterAnySequence(@ForAll long seed) {
    Random random = new Random(seed);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    List<String> hosts = List.of("a", "b", "c");
    List<PrefetchFlow> known = new ArrayList<>();
    for (int id = 0; id < 40; id++) {
      if (known.isEmpty() || random.nextInt(3) > 0) {
        PrefetchFlow flow = flow(id, hosts.get(random.nextInt(3)), hosts.get(random.nextInt(3)));
        books.allot(flow, 1 + random.nextInt(50));
        known.add(flow);
      } else {
        PrefetchFlow gone = known.remove(random.nextInt(known.size()));
        books.abandon(gone);
        books.abandon(gone);
      }
    }

    assertThat(books.flows()).containsExactlyInAnyOrderElementsOf(known);
    for (PrefetchFlow flow : known) {
      for (Link link : books.path(flow)) {
        long taken = books.flows(link).stream().mapToLong(books::rate).sum();
        assertThat(books.flows(link)).contains(flow);
        assertThat(books.capacity(link)).isEqualTo(link.capacity() - taken);
      }
    }
    known.forEach(books::abandon);
    assertThat(books.capacity(new Link("/r1", Direction.UP, 120))).isEqualTo(120);
    assertThat(books.links()).isEmpty();
  }

  private static PrefetchFlow flow(long id, String source, String target) {
    return new PrefetchFlow(id, "job", source, target);
  }
}
