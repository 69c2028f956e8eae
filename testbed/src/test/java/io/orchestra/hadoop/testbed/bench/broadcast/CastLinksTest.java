package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.network.LinkCounters;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CastLinksTest {
  private final Map<String, LinkCounters.LinkBytes> counters =
      new HashMap<>(
          Map.of(
              "a", new LinkCounters.LinkBytes(1, 10),
              "b", new LinkCounters.LinkBytes(2, 30),
              "c", new LinkCounters.LinkBytes(300, 4),
              "rack1", new LinkCounters.LinkBytes(5, 6)));
  private Cast cast = new Cast(List.of("a", "b"), List.of(List.of("c")));
  private final CastLinks links = new CastLinks(() -> counters, () -> cast);

  @Test
  void derivedLinksAreMeansOverTheCast() {
    assertThat(links.read())
        .containsEntry("a down", 10L)
        .containsEntry("rack1 up", 5L)
        .containsEntry(CastLinks.RECEIVERS, 20L)
        .containsEntry(CastLinks.HOLDERS, 300L);
    cast = new Cast(List.of("a", "b", "c"), List.of());
    assertThat(links.read())
        .containsEntry(CastLinks.RECEIVERS, 14L)
        .containsEntry(CastLinks.HOLDERS, 0L);
  }

  @Test
  void everyLinkHasACapacityAndIsCounted() {
    Cell cell = new Cell(1, 40, 2, Rate.parse("8mbit"), false);
    Links of = links.of(cell, List.of("a", "b", "c"), List.of("rack1"));
    assertThat(of.capacities())
        .containsEntry("c up", 1e6)
        .containsEntry("rack1 down", 1e7)
        .containsEntry(CastLinks.RECEIVERS, 1e6);
    assertThat(links.read().keySet()).isEqualTo(of.capacities().keySet());
    assertThat(of.derived()).containsExactlyInAnyOrder(CastLinks.RECEIVERS, CastLinks.HOLDERS);
    assertThat(of.groups()).containsOnlyKeys(CastLinks.RECEIVERS, CastLinks.HOLDERS);
  }

  @Test
  void nothingIsSaidOfHoldersWhereThereAreNone() {
    Cell cell = new Cell(1, 40, 2, Rate.parse("8mbit"), false);
    Links of = links.withoutHolders(cell, List.of("a"), List.of("rack1"));
    assertThat(of.capacities()).containsKey("a up").doesNotContainKey(CastLinks.HOLDERS);
    assertThat(of.groups()).containsOnlyKeys(CastLinks.RECEIVERS);
  }

  @Test
  void oversubscribedUplinkIsAsSlowAsAHost() {
    Cell cell = new Cell(1, 40, 2, Rate.parse("8mbit"), true);
    assertThat(links.of(cell, List.of("a"), List.of("rack1")).capacities())
        .containsEntry("rack1 down", 1e6);
  }
}
