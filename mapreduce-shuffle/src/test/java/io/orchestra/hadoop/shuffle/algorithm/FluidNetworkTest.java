package io.orchestra.hadoop.shuffle.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class FluidNetworkTest {
  @Test
  void flowsOfOneSenderShareItsLink() {
    FluidNetwork network = new FluidNetwork(1, 2);
    network.start(0, 0, 1, 1);
    network.start(0, 1, 1, 1);

    assertThat(network.untilNextEnd()).hasValue(2);
    assertThat(network.advance(2)).hasSize(2);
    assertThat(network.untilNextEnd()).isEmpty();
  }

  @Test
  void theyShareItByWeight() {
    FluidNetwork network = new FluidNetwork(1, 2);
    FluidNetwork.Flow heavy = network.start(0, 0, 1, 3);
    FluidNetwork.Flow light = network.start(0, 1, 1, 1);
    network.untilNextEnd();

    assertThat(heavy.rate()).isCloseTo(0.75, within(1e-9));
    assertThat(light.rate()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void whatOneFlowCannotUseTheOthersGet() {
    FluidNetwork network = new FluidNetwork(2, 2);
    FluidNetwork.Flow first = network.start(0, 0, 1, 1);
    FluidNetwork.Flow second = network.start(0, 0, 1, 1);
    FluidNetwork.Flow shared = network.start(1, 0, 1, 1);
    FluidNetwork.Flow alone = network.start(1, 1, 1, 1);
    network.untilNextEnd();

    assertThat(first.rate()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(second.rate()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(shared.rate()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(alone.rate()).isCloseTo(2.0 / 3, within(1e-9));
  }

  @Test
  void aFlowThatEndsLeavesItsPartToOthers() {
    FluidNetwork network = new FluidNetwork(1, 2);
    network.start(0, 0, 1, 1);
    FluidNetwork.Flow longer = network.start(0, 1, 3, 1);

    assertThat(network.advance(2)).hasSize(1).doesNotContain(longer);
    assertThat(network.untilNextEnd().orElseThrow()).isCloseTo(2, within(1e-9));
    assertThat(network.advance(2)).containsExactly(longer);
  }
}
