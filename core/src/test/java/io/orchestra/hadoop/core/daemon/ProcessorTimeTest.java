package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProcessorTimeTest {
  @Test
  void itIsThatOfTheCallingThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    long asked = ProcessorTime.nanos();

    assertThat(asked).isBetween(before, threads.getCurrentThreadCpuTime());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsThatOfTheClockWhereTheJvmDoesNotTell(boolean isSupported) {
    long before = System.nanoTime();
    long asked = ProcessorTime.clock(silent(isSupported)).getAsLong();

    assertThat(asked - before).isBetween(0L, System.nanoTime() - before);
  }

  private static ThreadMXBean silent(boolean isSupported) {
    return (ThreadMXBean)
        Proxy.newProxyInstance(
            ProcessorTimeTest.class.getClassLoader(),
            new Class<?>[] {ThreadMXBean.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isCurrentThreadCpuTimeSupported" -> isSupported;
                  case "isThreadCpuTimeEnabled" -> false;
                  default -> -1L;
                });
  }
}
