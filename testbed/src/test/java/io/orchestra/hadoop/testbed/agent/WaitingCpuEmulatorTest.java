package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.tools.rumen.ResourceUsageMetrics;
import org.junit.jupiter.api.Test;

final class WaitingCpuEmulatorTest {
  private final WaitingCpuEmulator emulator = new WaitingCpuEmulator();
  private float progress;

  @Test
  void waitsInStepWithItsTask() throws InterruptedException {
    computing(400);
    emulator.emulate();
    assertThat(emulator.getProgress()).isZero();

    progress = 0.5f;
    assertThat(timed()).isGreaterThanOrEqualTo(200);
    assertThat(emulator.getProgress()).isCloseTo(0.5f, within(0.01f));
    progress = 0.51f;
    emulator.emulate();
    assertThat(emulator.getProgress()).as("too little for once").isCloseTo(0.5f, within(0.01f));
    progress = 1;
    assertThat(timed()).isGreaterThanOrEqualTo(200);
    assertThat(emulator.getProgress()).isCloseTo(1, within(0.01f));
  }

  @Test
  void aTaskThatComputedNothingIsDone() throws InterruptedException {
    computing(0);
    progress = 1;
    emulator.emulate();

    assertThat(emulator.getProgress()).isEqualTo(1);
  }

  private void computing(long millis) {
    ResourceUsageMetrics metrics = new ResourceUsageMetrics();
    metrics.setCumulativeCpuUsage(millis);
    emulator.initialize(new Configuration(false), metrics, null, () -> progress);
  }

  /** Milliseconds. */
  private long timed() throws InterruptedException {
    long began = System.nanoTime();
    emulator.emulate();
    return (System.nanoTime() - began) / 1_000_000;
  }
}
