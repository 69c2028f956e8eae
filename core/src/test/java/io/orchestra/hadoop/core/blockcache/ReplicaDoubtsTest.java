package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReplicaDoubtsTest {
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);
  private static final BlockKey OTHER = new BlockKey("pool", 2, 1);

  private final List<Runnable> later = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final ReplicaDoubts<String> doubts = new ReplicaDoubts<>(later::add);

  @Test
  void whatIsWrongIsToldLater() {
    doubts.add(BLOCK, () -> Optional.of("rot"), told::add);
    assertThat(told).isEmpty();

    later.forEach(Runnable::run);
    assertThat(told).containsExactly("rot");
  }

  /** Whoever said that it is wrong may lie, or have wrong checksums. */
  @Test
  void ofAReplicaThatIsRightNobodyIsTold() {
    doubts.add(BLOCK, Optional::empty, told::add);
    doubts.add(BLOCK, () -> Optional.of("rot of another one"), told::add);
    later.forEach(Runnable::run);

    assertThat(told).containsExactly("rot of another one");
  }

  @Test
  void whereAllReplicasOfABlockSeemWrongOneIsToldOf() {
    for (int replica = 0; replica < 3; replica++) {
      String flaw = "rot " + replica;
      doubts.add(BLOCK, () -> Optional.of(flaw), told::add);
      doubts.add(OTHER, () -> Optional.of("of the other one, " + flaw), told::add);
    }
    later.forEach(Runnable::run);

    assertThat(told).containsExactly("rot 0", "of the other one, rot 0");
  }

  @Test
  void oneThatCannotBeLookedAtKeepsNobodyElseFromIt() {
    doubts.add(
        BLOCK,
        () -> {
          throw new IllegalStateException("made up");
        },
        told::add);
    doubts.add(BLOCK, () -> Optional.of("rot"), told::add);
    later.forEach(Runnable::run);

    assertThat(told).containsExactly("rot");
  }
}
