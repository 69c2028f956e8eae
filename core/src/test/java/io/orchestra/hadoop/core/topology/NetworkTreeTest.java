package io.orchestra.hadoop.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class NetworkTreeTest {
  private static final NetworkTree TREE =
      NetworkTree.builder()
          .host("a1", "/a", 100)
          .host("a2", "/a", 100)
          .host("b1", "/b", 50)
          .switchCapacity("/a", 120)
          .build();

  @Test
  void hostsInOneRackMeetAtTheirSwitch() {
    assertThat(TREE.path("a1", "a2"))
        .containsExactly(new Link("a1", Direction.UP, 100), new Link("a2", Direction.DOWN, 100));
  }

  @Test
  void aPathBetweenRacksCrossesBothSwitches() {
    assertThat(TREE.path("a1", "b1"))
        .containsExactly(
            new Link("a1", Direction.UP, 100),
            new Link("/a", Direction.UP, 120),
            new Link("/b", Direction.DOWN, 50),
            new Link("b1", Direction.DOWN, 50));
  }

  @Test
  void aHostReachesItselfWithoutALink() {
    assertThat(TREE.path("a1", "a1")).isEmpty();
  }

  @Test
  void aSwitchOfUnknownCapacityIsNonBlocking() {
    NetworkTree tree = NetworkTree.builder().host("x", "/r", 3).host("y", "/r", 4).build();

    assertThat(tree.capacity(tree.switchAt("/r"))).isEqualTo(7);
  }

  @Test
  void locationsMayBeDeeperThanRacks() {
    NetworkTree tree =
        NetworkTree.builder()
            .host("x", "/dc1/r1", 1)
            .host("y", "/dc1/r2/", 1)
            .host("z", "/dc2/r1", 1)
            .build();

    assertThat(tree.path("x", "y"))
        .extracting(Link::node)
        .containsExactly("x", "/dc1/r1", "/dc1/r2", "y");
    assertThat(tree.path("x", "z"))
        .extracting(Link::node)
        .containsExactly("x", "/dc1/r1", "/dc1", "/dc2", "/dc2/r1", "z");
    assertThat(tree.isBelow(tree.host("y"), tree.switchAt("/dc1"))).isTrue();
    assertThat(tree.isBelow(tree.host("z"), tree.switchAt("/dc1"))).isFalse();
    assertThat(tree.isBelow(tree.host("z"), tree.core())).isTrue();
  }

  @Test
  void hostsAndSwitchesMayHangAtDifferentDepths() {
    NetworkTree tree =
        NetworkTree.builder().host("x", "/", 5).host("y", "/dc", 5).host("z", "/dc/r", 5).build();

    assertThat(tree.path("x", "z"))
        .extracting(Link::node)
        .containsExactly("x", "/dc", "/dc/r", "z");
    assertThat(tree.capacity(tree.switchAt("/dc"))).isEqualTo(10);
  }

  @Test
  void aHostMayHaveALocationForItsName() {
    NetworkTree tree = NetworkTree.builder().host("/a", "/a", 1).host("y", "/a", 2).build();

    assertThat(tree.path("/a", "y")).hasSize(2);
    assertThat(tree.host("/a")).isNotEqualTo(tree.switchAt("/a"));
  }

  @Test
  void theEmptyLocationIsTheCore() {
    NetworkTree tree = NetworkTree.builder().host("x", "", 1).host("y", "/", 2).build();

    assertThat(tree.parent(tree.host("x"))).isEqualTo(tree.core()).isEqualTo(tree.switchAt(""));
    assertThat(tree.path("x", "y")).hasSize(2);
  }

  @Test
  void loadsAddUpTowardsTheCore() {
    long[] sums = TREE.sumOverSubtrees(new long[] {1, 2, 4});

    assertThat(sums[TREE.switchAt("/a")]).isEqualTo(3);
    assertThat(sums[TREE.switchAt("/b")]).isEqualTo(4);
    assertThat(sums[TREE.core()]).isEqualTo(7);
  }

  @Test
  void anEmptyClusterIsATree() {
    NetworkTree tree = NetworkTree.builder().build();

    assertThat(tree.hosts()).isZero();
    assertThat(tree.core()).isZero();
  }

  @Test
  void badInputIsRefusedWithItsName() {
    assertThatThrownBy(() -> NetworkTree.builder().host("x", "rack", 1))
        .hasMessageContaining("'rack'");
    assertThatThrownBy(() -> NetworkTree.builder().host("x", "/r", 0)).hasMessageContaining("x");
    assertThatThrownBy(() -> NetworkTree.builder().host("x", "/r", 1).host("x", "/s", 1))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> TREE.host("nobody")).hasMessageContaining("nobody");
    assertThatThrownBy(() -> TREE.switchAt("/nowhere")).hasMessageContaining("/nowhere");
    assertThat(TREE.findHost("nobody")).isEmpty();
  }

  @Property
  void aPathBackUsesTheSameCablesInTheOtherDirection(
      @ForAll @IntRange(min = 2, max = 30) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    NetworkTree.Builder builder = NetworkTree.builder();
    List<String> locations = List.of("/", "/p", "/p/q", "/p/r", "/s/t", "/s/t/u");
    for (int host = 0; host < hosts; host++) {
      builder.host(
          "h" + host, locations.get(random.nextInt(locations.size())), 1 + random.nextInt(9));
    }
    NetworkTree tree = builder.build();
    String from = "h" + random.nextInt(hosts);
    String to = "h" + random.nextInt(hosts);

    List<Link> there = tree.path(from, to);
    List<Link> back = tree.path(to, from);

    assertThat(back).hasSameSizeAs(there);
    for (int i = 0; i < there.size(); i++) {
      Link link = there.get(i);
      Link reverse = back.get(back.size() - 1 - i);
      assertThat(reverse.node()).isEqualTo(link.node());
      assertThat(reverse.direction()).isNotEqualTo(link.direction());
    }
  }
}
