package io.orchestra.hadoop.testbed.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.FakeMachine;
import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import io.orchestra.hadoop.testbed.bench.Window;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SamplingTest {
  private final FakeMachine machine = new FakeMachine(60, 90);

  @Test
  void beginAndEndAreSampledHoweverShortTheTrial() {
    try (Sampling sampling = machine.sampler().start(Optional.of(machine.links()))) {
      assertThat(sampling.finish(Optional.empty()).figures())
          .containsEntry(SampledFigure.CPU_IDLE, 0.6)
          .containsEntry(SampledFigure.BUSIEST_LINK, 0.9)
          .containsEntry(SampledFigure.utilisation("the quiet one"), 0.1)
          .containsEntry(SampledFigure.LINK_VARIATION, 0.8);
    }
  }

  @Test
  void onlyWhatIsInTheWindowCounts() {
    AtomicLong seconds = new AtomicLong();
    Sampler sampler =
        new Sampler(
            () -> new CpuTimes(seconds.get() > 3 ? 50 : 0, 100 * seconds.get()),
            () -> seconds.get() * 1_000_000_000L);
    Sampling sampling = new Sampling(sampler, Optional.empty());
    try (sampling) {
      seconds.set(2);
      sampling.sample();
      seconds.set(4);
      sampling.sample();
      seconds.set(9);
      Window window = new Window(1_500_000_000L, 4_500_000_000L);
      assertThat(sampling.finish(Optional.of(window)).figures())
          .containsExactly(entry(SampledFigure.CPU_IDLE, 0.25));
      assertThat(sampling.finish(Optional.of(new Window(500_000_000L, 1_000_000_000L))))
          .isEqualTo(Usage.NONE);
    }
  }

  @Test
  void thisMachineIsSampledToo() {
    try (Sampling sampling = Sampler.ofThisMachine().start(Optional.empty())) {
      assertThat(sampling.finish(Optional.empty()).linkUtilisation()).isEmpty();
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
      assertThatThrownBy(() -> sampling.finish(Optional.empty()))
          .hasMessageContaining("no such host");
    }
  }
}
