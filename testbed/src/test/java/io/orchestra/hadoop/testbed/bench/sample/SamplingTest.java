package io.orchestra.hadoop.testbed.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class SamplingTest {
  private final FakeMachine machine = new FakeMachine(60, 90);

  @Test
  void beginAndEndAreSampledHoweverShortTheTrial() {
    try (Sampling sampling = machine.sampler().start(Optional.of(machine.links()))) {
      assertThat(sampling.finish().figures())
          .containsEntry(SampledFigure.CPU_IDLE, 0.6)
          .containsEntry(SampledFigure.BUSIEST_LINK, 0.9)
          .containsEntry(SampledFigure.utilisation("the quiet one"), 0.1)
          .containsEntry(SampledFigure.LINK_VARIATION, 0.8);
    }
  }

  @Test
  void thisMachineIsSampledToo() {
    try (Sampling sampling = Sampler.ofThisMachine().start(Optional.empty())) {
      assertThat(sampling.finish().linkUtilisation()).isEmpty();
    }
  }

  @Test
  void linksThatAreNotCountedAreNamed() {
    Links links = Links.of(() -> Map.of("a", 1L), Map.of("a", 1.0, "b", 1.0));
    assertThatThrownBy(() -> machine.sampler().start(Optional.of(links)).close())
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("b");
  }

  @Test
  void countersThatFailMeanwhileFailTheTrial() {
    AtomicBoolean dead = new AtomicBoolean();
    LinkBytes bytes =
        () -> {
          if (dead.get()) {
            throw new TestbedException("no such host");
          }
          return Map.of("a", 1L);
        };
    Links links = Links.of(bytes, Map.of("a", 1.0));
    try (Sampling sampling = machine.sampler().start(Optional.of(links))) {
      dead.set(true);
      assertThatThrownBy(sampling::finish).hasMessageContaining("no such host");
    }
  }
}
