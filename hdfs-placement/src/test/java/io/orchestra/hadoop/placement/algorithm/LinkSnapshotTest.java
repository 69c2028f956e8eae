package io.orchestra.hadoop.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.core.topology.NetworkTree;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class LinkSnapshotTest {
  private static final Duration SETUP = Duration.ofMillis(200);
  private static final long SECOND = 1_000_000_000;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final Random random = new Random(1);

  @Test
  void theLeastLoadedHostIsBest() {
    LinkSnapshot links = snapshot(rack("/r", 100, 100, 100), 80, 10, 50);

    assertThat(best(links)).isEqualTo(1);
  }

  @Test
  void aFastBusyLinkMayBeBetterThanASlowIdleOne() {
    NetworkTree tree =
        NetworkTree.builder().host("slow", "/r", 100).host("fast", "/r", 1000).build();

    assertThat(best(snapshot(tree, 0, 500))).isEqualTo(1);
  }

  @Test
  void aCopyFromElsewhereMindsTheLinkOfTheRack() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a1", "/a", 100)
            .host("a2", "/a", 100)
            .host("b1", "/b", 100)
            .switchCapacity("/a", 100)
            .build();
    // a1 is idle, but half of what a2 receives may come over the link of their rack.
    LinkSnapshot links = snapshot(tree, 0, 90, 30);

    assertThat(links.share(tree.switchAt("/a"))).isEqualTo(55);
    assertThat(best(links)).isEqualTo(tree.host("b1"));
    assertThat(links.best(new Scope(tree.switchAt("/a"), false), host -> true, random))
        .isEqualTo(tree.host("a1"));
  }

  @Test
  void whereLinksOfRacksAreTheLimitTheHostsOwnLinkDecides() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a1", "/a", 1000)
            .host("a2", "/a", 1000)
            .host("b1", "/b", 1000)
            .switchCapacity("/a", 200)
            .switchCapacity("/b", 100)
            .build();

    for (int choice = 0; choice < 20; choice++) {
      assertThat(best(snapshot(tree, 100, 0, 0))).isEqualTo(tree.host("a2"));
    }
  }

  @Test
  void aSilentHostFillsItsOwnLinkOnly() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a1", "/a", 100)
            .host("a2", "/a", 100)
            .host("b1", "/b", 100)
            .switchCapacity("/a", 100)
            .build();
    HostLoad[] loads = {
      HostLoad.silent(100, NO_LIMIT, 1),
      HostLoad.foreign(0, NO_LIMIT, 1, SECOND),
      HostLoad.foreign(10, NO_LIMIT, 1, SECOND)
    };
    LinkSnapshot links = new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);

    assertThat(links.share(0)).isZero();
    assertThat(best(links)).isEqualTo(tree.host("a2"));
  }

  @Test
  void disksLimitWhatALinkIsWorth() {
    NetworkTree tree = rack("/r", 100, 100, 100);
    HostLoad[] loads = {
      HostLoad.foreign(50, 20, 1, SECOND),
      HostLoad.foreign(30, 20, 1, SECOND),
      HostLoad.foreign(60, 90, 1, SECOND)
    };

    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random)))
        .isEqualTo(2);
    // Equal for the disks: then the emptier link.
    assertThat(
            new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random)
                .best(Scope.everywhere(tree), host -> host != 2, random))
        .isEqualTo(1);
  }

  @Test
  void copiesShareTheDisksAsTheyShareTheLink() {
    NetworkTree tree = rack("/r", 1250, 1250);
    ImmutableList<Integer> five =
        ImmutableList.of(
            HostLoad.OUTSIDE,
            HostLoad.OUTSIDE,
            HostLoad.OUTSIDE,
            HostLoad.OUTSIDE,
            HostLoad.OUTSIDE);
    HostLoad[] loads = {
      new HostLoad(200, 0, five, 200, 1, SECOND), HostLoad.foreign(1100, 200, 1, SECOND)
    };

    // 1250 / 6 of the link and 200 / 6 of the disks, or 150 of both.
    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random)))
        .isEqualTo(1);
  }

  @Test
  void aCopyInsideADataCentreDoesNotMindTheLinkToIt() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/dc1/r1", 1000)
            .host("b", "/dc1/r2", 1000)
            .host("c", "/dc1/r3", 1000)
            .host("d", "/dc2/r1", 1000)
            .switchCapacity("/dc1", 1000)
            .build();
    // c fills the link of its data centre; b is idle, d half busy.
    LinkSnapshot links = snapshot(tree, 0, 0, 1000, 500);
    Scope otherRacks = new Scope(tree.switchAt("/dc1/r1"), true);

    assertThat(links.best(otherRacks, host -> true, random)).isEqualTo(tree.host("b"));
    assertThat(links.best(otherRacks, host -> host != 1, random)).isEqualTo(tree.host("d"));
  }

  /** The hosts of another data centre have as good a chance as before. */
  @Test
  void ofEqualHostsNearOnesAreNotPreferred() {
    NetworkTree.Builder builder = NetworkTree.builder().host("source", "/dc1/r1", 1000);
    for (int host = 0; host < 3; host++) {
      builder.host("far" + host, "/dc2/r" + host, 1000);
    }
    NetworkTree tree = builder.host("near", "/dc1/r2", 1000).build();
    LinkSnapshot links = snapshot(tree, 0, 0, 0, 0, 0);
    int near = 0;
    for (int choice = 0; choice < 1000; choice++) {
      int host = links.best(new Scope(tree.switchAt("/dc1/r1"), true), h -> true, random);
      near += host == tree.host("near") ? 1 : 0;
    }

    assertThat(near).isBetween(200, 300);
  }

  @Test
  void scopesLimitTheChoice() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/dc1/r1", 100)
            .host("b", "/dc1/r2", 100)
            .host("c", "/dc2/r1", 100)
            .build();
    LinkSnapshot links = snapshot(tree, 0, 10, 50);

    assertThat(links.best(new Scope(tree.switchAt("/dc1/r1"), true), h -> true, random))
        .isEqualTo(1);
    assertThat(links.best(new Scope(tree.switchAt("/dc1"), true), h -> true, random)).isEqualTo(2);
    assertThat(links.best(new Scope(tree.switchAt("/dc1"), false), h -> h != 0, random))
        .isEqualTo(1);
    assertThat(links.best(new Scope(tree.switchAt("/dc2/r1"), false), h -> h != 2, random))
        .isEqualTo(-1);
  }

  @Test
  void aLinkThatCopiesFillIsBetterThanOneThatForeignTrafficFills() {
    HostLoad[] loads = {
      HostLoad.foreign(95_000, NO_LIMIT, 1, SECOND),
      new HostLoad(100_000, 2_000, ImmutableList.of(2, HostLoad.OUTSIDE), NO_LIMIT, 1, SECOND),
      HostLoad.foreign(90_000, NO_LIMIT, 1, SECOND)
    };
    NetworkTree tree = rack("/r", 100_000, 100_000, 100_000);

    LinkSnapshot links = new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);

    assertThat(best(links)).isEqualTo(1);
    assertThat(links.share(1)).isEqualTo(98_000 / 3);
    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.PAPER, host -> true, random)))
        .isEqualTo(2);
  }

  @Test
  void aCopyCountsOnTheLinksItCrosses() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/r1", 100)
            .host("b", "/r1", 100)
            .host("c", "/r2", 100)
            .build();
    HostLoad[] loads = {
      new HostLoad(60, 0, ImmutableList.of(1, 2, HostLoad.OUTSIDE), NO_LIMIT, 1, SECOND),
      HostLoad.foreign(0, NO_LIMIT, 1, SECOND),
      HostLoad.foreign(0, NO_LIMIT, 1, SECOND)
    };

    LinkSnapshot links = new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);

    assertThat(links.copies(0)).isEqualTo(3);
    assertThat(links.copies(tree.switchAt("/r1"))).isEqualTo(2);
    assertThat(links.copies(1)).isZero();
    assertThat(links.copies(tree.switchAt("/r2"))).isZero();
  }

  @Test
  void placedCopiesLowerTheShareUntilTheyAreMeasured() {
    LinkSnapshot links = snapshot(rack("/r", 100, 100), 0, 0);

    links.place(0, Scope.everywhere(links.tree()), 1000, 0);

    assertThat(links.copies(0)).isEqualTo(1);
    assertThat(links.share(0)).isEqualTo(50);
    assertThat(links.share(links.tree().switchAt("/r"))).isEqualTo(100);
  }

  /** Sinbad, pseudocode 2: first the link of the oversubscribed level, then the host behind it. */
  @Test
  void thePaperTakesTheBestRackAndTheBestHostInIt() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/r1", 100_000)
            .host("b", "/r1", 100_000)
            .host("c", "/r2", 100_000)
            .host("d", "/r2", 100_000)
            .switchCapacity("/r1", 120_000)
            .switchCapacity("/r2", 120_000)
            .build();
    HostLoad[] loads = {
      HostLoad.foreign(0, NO_LIMIT, 1, SECOND),
      HostLoad.foreign(60_000, NO_LIMIT, 1, SECOND),
      HostLoad.foreign(30_000, NO_LIMIT, 1, SECOND),
      HostLoad.foreign(20_000, NO_LIMIT, 1, SECOND)
    };

    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.PAPER, host -> true, random)))
        .isEqualTo(3);
  }

  @Test
  void equalHostsAreAllChosenInTurn() {
    LinkSnapshot links = snapshot(rack("/r", 100, 100, 100, 100), 0, 1, 0, 1);
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      chosen.add(best(links));
    }

    assertThat(chosen).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void aPlacedReplicaCountsAsLoadUntilAMeasurementShowsIt() {
    NetworkTree tree = rack("/r", 100, 100);
    LinkSnapshot first = snapshot(tree, 0, 40);
    first.place(0, Scope.everywhere(tree), 70, 0);

    assertThat(first.pending(0)).isEqualTo(70);
    assertThat(first.residual(0)).isEqualTo(30);
    assertThat(best(first)).isEqualTo(1);

    LinkSnapshot unmeasured = snapshot(tree, 0, 40).carryPendingFrom(first, SETUP);
    assertThat(unmeasured.residual(0)).isEqualTo(30);
    assertThat(unmeasured.pending(tree.switchAt("/r"))).isEqualTo(70);
    assertThat(unmeasured.copies(0)).isEqualTo(1);

    LinkSnapshot tooEarly = measuredAt(SETUP.toNanos() - 1).carryPendingFrom(unmeasured, SETUP);
    assertThat(tooEarly.pending(0)).isEqualTo(70);

    LinkSnapshot later = measuredAt(SETUP.toNanos()).carryPendingFrom(tooEarly, SETUP);
    assertThat(later.residual(0)).isEqualTo(90);
    assertThat(later.pending(tree.switchAt("/r"))).isZero();
    assertThat(later.copies(0)).isZero();
  }

  @Test
  void whatIsTakenBackIsNoLoadAnyMore() {
    NetworkTree tree = rack("/r", 100, 100);
    LinkSnapshot first = snapshot(tree, 0, 0);
    Placement kept = first.place(0, Scope.everywhere(tree), 30, 0);
    Placement gone = first.place(0, Scope.everywhere(tree), 50, 0);
    assertThat(first.pending(0)).isEqualTo(80);

    first.takeBack(gone);
    first.takeBack(gone);
    assertThat(first.pending(0)).isEqualTo(30);
    assertThat(first.copies(0)).isEqualTo(1);
    assertThat(first.pending(tree.switchAt("/r"))).isEqualTo(30);
    assertThat(first.copies(tree.switchAt("/r"))).isEqualTo(1);

    LinkSnapshot next = snapshot(tree, 0, 0).carryPendingFrom(first, SETUP);
    assertThat(next.pending(0)).isEqualTo(30);
    next.takeBack(kept);
    assertThat(next.pending(0)).isZero();
    assertThat(next.copies(0)).isZero();
  }

  private LinkSnapshot measuredAt(long time) {
    HostLoad[] measured = {
      HostLoad.foreign(10, NO_LIMIT, time, SECOND), HostLoad.foreign(40, NO_LIMIT, time, SECOND)
    };
    return new LinkSnapshot(rack("/r", 100, 100), measured, Algorithm.SHARE, host -> true, random);
  }

  @Test
  void pendingLoadFollowsAHostThatGotAnotherNumberAndEndsWithOneThatIsGone() {
    NetworkTree before = NetworkTree.builder().host("x", "/r", 100).host("y", "/r", 100).build();
    NetworkTree after = NetworkTree.builder().host("y", "/r", 100).host("z", "/r", 100).build();
    LinkSnapshot first = snapshot(before, 0, 0);
    first.place(0, Scope.everywhere(before), 30, 0);
    first.place(1, Scope.everywhere(before), 50, 0);

    LinkSnapshot next = snapshot(after, 0, 0).carryPendingFrom(first, SETUP);

    assertThat(next.pending(0)).isEqualTo(50);
    assertThat(next.pending(1)).isZero();
    assertThat(next.pending(after.switchAt("/r"))).isEqualTo(50);
  }

  @Test
  void aCopyCrossesTheLinksUpToWhereItsScopeBegins() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/d1/r1", 100)
            .host("b", "/d1/r2", 100)
            .host("c", "/d2/r3", 100)
            .build();
    LinkSnapshot links = snapshot(tree, 0, 0, 0);
    // To b, from the other rack of its data centre.
    links.place(1, new Scope(tree.switchAt("/d1/r1"), true), 10, 0);
    // To a, from somewhere in its data centre.
    links.place(0, new Scope(tree.switchAt("/d1"), false), 10, 0);
    // To c, from the other data centre.
    links.place(2, new Scope(tree.switchAt("/d1/r1"), true), 10, 0);

    assertThat(links.copies(0)).isEqualTo(1);
    assertThat(links.copies(1)).isEqualTo(1);
    assertThat(links.copies(tree.switchAt("/d1/r1"))).isEqualTo(1);
    assertThat(links.copies(tree.switchAt("/d1/r2"))).isEqualTo(1);
    assertThat(links.copies(tree.switchAt("/d1"))).isZero();
    assertThat(links.copies(tree.switchAt("/d2/r3"))).isEqualTo(1);
    assertThat(links.copies(tree.switchAt("/d2"))).isEqualTo(1);
  }

  @Test
  void insideAnUpperSwitchItsOwnLinkDoesNotMatter() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/d1/r1", 100)
            .host("b", "/d1/r2", 100)
            .host("c", "/d2/r3", 100)
            .switchCapacity("/d1", 10)
            .build();
    LinkSnapshot links = snapshot(tree, 60, 0, 50);

    assertThat(links.best(new Scope(tree.switchAt("/d1"), false), h -> true, random)).isEqualTo(1);
    assertThat(best(links)).isEqualTo(2);
  }

  @Test
  void aReplicaFromTheSameRackLeavesTheRacksLinkAlone() {
    NetworkTree tree = rack("/r", 100, 100);
    LinkSnapshot links = snapshot(tree, 0, 0);
    links.place(0, new Scope(tree.switchAt("/r"), false), 50, 0);

    assertThat(links.pending(0)).isEqualTo(50);
    assertThat(links.pending(tree.switchAt("/r"))).isZero();
  }

  @Test
  void theIncrementIsTheBlockOverTheTimeLeftAndNeverMoreThanTheLink() {
    NetworkTree tree = rack("/r", 1000);
    LinkSnapshot links = snapshot(tree, 0);

    links.place(0, Scope.everywhere(tree), 100, SECOND / 2);
    assertThat(links.pending(0)).isEqualTo(200);
    // The update is overdue: a tenth of a second is the shortest time.
    links.place(0, Scope.everywhere(tree), 30, 5 * SECOND);
    assertThat(links.pending(0)).isEqualTo(500);
    links.place(0, Scope.everywhere(tree), Long.MAX_VALUE, 0);
    assertThat(links.pending(0)).isEqualTo(1000);
    assertThat(links.residual(0)).isZero();
  }

  /**
   * Racks are contiguous in HDFS's list: whoever follows a rack that is out of scope must not
   * inherit its share.
   */
  @Test
  void equalHostsAreEquallyLikelyAlsoWithARackOutOfScope() {
    NetworkTree.Builder builder = NetworkTree.builder();
    HostLoad[] loads = new HostLoad[60];
    for (int host = 0; host < 60; host++) {
      builder.host("h" + host, "/r" + host / 20, 1000);
      loads[host] = HostLoad.foreign(0, NO_LIMIT, 1, SECOND);
    }
    NetworkTree tree = builder.build();
    Scope outside = new Scope(tree.switchAt("/r0"), true);
    int[] chosen = new int[60];
    for (int snapshot = 0; snapshot < 400; snapshot++) {
      LinkSnapshot links = new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);
      for (int block = 0; block < 20; block++) {
        chosen[links.best(outside, host -> true, random)]++;
      }
    }

    for (int host = 20; host < 60; host++) {
      // 8000 choices of 40 hosts: 200 each.
      assertThat(chosen[host]).as("host %d", host).isBetween(100, 320);
    }
  }

  @Test
  void oneAbsurdCapacityDoesNotMakeTheOthersEqual() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("a", "/r", 1000)
            .host("b", "/r", 1000)
            .host("absurd", "/r", Long.MAX_VALUE / 2)
            .build();
    LinkSnapshot links = snapshot(tree, 900, 0, Long.MAX_VALUE / 2);

    for (int i = 0; i < 20; i++) {
      assertThat(links.best(Scope.everywhere(tree), host -> host != 2, random)).isEqualTo(1);
    }
  }

  @Test
  void anAbsurdLoadFillsItsOwnLinkOnly() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("liar", "/a", 100)
            .host("a", "/a", 100)
            .host("b", "/b", 100)
            .build();
    LinkSnapshot links = snapshot(tree, Long.MAX_VALUE, 0, 30);

    assertThat(links.residual(tree.switchAt("/a"))).isEqualTo(100);
    assertThat(links.residual(0)).isZero();
    assertThat(best(links)).isEqualTo(tree.host("a"));
  }

  @Test
  void onlyCandidatesAreChosen() {
    NetworkTree tree = rack("/r", 100, 100);
    HostLoad[] loads = {
      HostLoad.foreign(0, NO_LIMIT, 1, SECOND), HostLoad.foreign(90, NO_LIMIT, 1, SECOND)
    };

    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> host == 1, random)))
        .isEqualTo(1);
    assertThat(best(new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> false, random)))
        .isEqualTo(-1);
  }

  @Test
  void hostsAtTheCoreDoNotHideThoseInRacks() {
    NetworkTree tree = NetworkTree.builder().host("x", "/", 100).host("y", "/r", 100).build();

    assertThat(best(snapshot(tree, 80, 0))).isEqualTo(tree.host("y"));
  }

  @Test
  void fullHostsAreStillChosenWhenThereIsNothingBetter() {
    LinkSnapshot links = snapshot(rack("/r", 100, 100), 100, 500);

    assertThat(best(links)).isBetween(0, 1);
  }

  @Test
  void anEmptyClusterHasNoBestHost() {
    assertThat(
            best(
                new LinkSnapshot(
                    NetworkTree.builder().build(),
                    new HostLoad[0],
                    Algorithm.SHARE,
                    host -> true,
                    random)))
        .isEqualTo(-1);
  }

  /** The walk over sorted hosts must find what looking at every host would find. */
  @Property
  void theBestHostIsTheArgumentOfTheMaximum(
      @ForAll @IntRange(min = 1, max = 40) int hosts, @ForAll long seed) {
    Random rolls = new Random(seed);
    NetworkTree.Builder builder = NetworkTree.builder();
    HostLoad[] loads = new HostLoad[hosts];
    for (int host = 0; host < hosts; host++) {
      builder.host("h" + host, "/r" + rolls.nextInt(4), 1000);
      loads[host] = HostLoad.foreign(rolls.nextInt(1200), NO_LIMIT, 1, SECOND);
    }
    NetworkTree tree = builder.build();
    LinkSnapshot links = new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);
    for (int placed = 0; placed < hosts; placed++) {
      links.place(rolls.nextInt(hosts), Scope.everywhere(tree), rolls.nextInt(600), 0);
    }
    boolean[] acceptable = new boolean[hosts];
    for (int host = 0; host < hosts; host++) {
      acceptable[host] = rolls.nextInt(4) > 0;
    }
    Scope scope = new Scope(tree.parent(rolls.nextInt(hosts)), rolls.nextBoolean());

    int found = links.best(scope, host -> acceptable[host], rolls);

    int[] candidates =
        IntStream.range(0, hosts)
            .filter(host -> acceptable[host] && tree.isBelow(host, scope.node()) != scope.outside())
            .toArray();
    if (candidates.length == 0) {
      assertThat(found).isEqualTo(-1);
    } else {
      assertThat(Arrays.stream(candidates)).contains(found);
      long most =
          Arrays.stream(candidates).mapToLong(h -> expected(links, h, scope)).max().orElseThrow();
      // Rates that differ by less than 7 % may be the same to the chooser.
      assertThat(expected(links, found, scope)).isGreaterThanOrEqualTo((long) (most / 1.07));
    }
  }

  private static long expected(LinkSnapshot links, int host, Scope scope) {
    NetworkTree tree = links.tree();
    boolean insideRack = !scope.outside() && scope.node() == tree.parent(host);
    return insideRack
        ? links.share(host)
        : Math.min(links.share(host), links.share(tree.parent(host)));
  }

  private int best(LinkSnapshot links) {
    return links.best(Scope.everywhere(links.tree()), host -> true, random);
  }

  private static NetworkTree rack(String location, long... capacities) {
    NetworkTree.Builder builder = NetworkTree.builder();
    for (int host = 0; host < capacities.length; host++) {
      builder.host("h" + host, location, capacities[host]);
    }
    return builder.build();
  }

  private LinkSnapshot snapshot(NetworkTree tree, long... received) {
    HostLoad[] loads =
        Arrays.stream(received)
            .mapToObj(rate -> HostLoad.foreign(rate, NO_LIMIT, 1, SECOND))
            .toArray(HostLoad[]::new);
    return new LinkSnapshot(tree, loads, Algorithm.SHARE, host -> true, random);
  }
}
