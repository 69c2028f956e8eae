package io.orchestra.hadoop.core.daemon;

import com.google.common.annotations.VisibleForTesting;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * The processor's time of a thread: it stands still while the thread waits, for a processor too. So
 * it says what work costs others, also on a machine that has more to do than it can.
 */
public final class ProcessorTime {
  /** Chosen once: from one clock to the other no time can be told. */
  private static final LongSupplier CLOCK = clock(ManagementFactory.getThreadMXBean());

  private ProcessorTime() {}

  /** Nanoseconds of the calling thread; those of the clock where the JVM does not tell. */
  public static long nanos() {
    return CLOCK.getAsLong();
  }

  /** Switched off, the JVM's says -1 each time, and nothing would ever seem to take any time. */
  @VisibleForTesting
  static LongSupplier clock(ThreadMXBean threads) {
    return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
        ? threads::getCurrentThreadCpuTime
        : System::nanoTime;
  }
}
