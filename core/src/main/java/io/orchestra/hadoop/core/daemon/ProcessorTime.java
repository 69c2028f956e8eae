package io.orchestra.hadoop.core.daemon;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The processor's time of a thread: it stands still while the thread waits, for a processor too. So
 * it says what work costs others, also on a machine that has more to do than it can.
 */
public final class ProcessorTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ProcessorTime() {}

  /** Nanoseconds of the calling thread; those of the clock where the JVM does not tell. */
  public static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }
}
