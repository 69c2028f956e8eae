package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

final class ProcessorTimeTest {
  @Test
  void itIsThatOfTheCallingThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    long asked = ProcessorTime.nanos();

    assertThat(asked).isBetween(before, threads.getCurrentThreadCpuTime());
  }
}
