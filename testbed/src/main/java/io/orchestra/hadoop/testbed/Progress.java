package io.orchestra.hadoop.testbed;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lines that tell a waiting person what is going on, each with the seconds since this was created.
 */
public final class Progress {
  private final PrintStream out;
  private final LongSupplier nanoTime;
  private final long start;

  public Progress(PrintStream out, LongSupplier nanoTime) {
    this.out = out;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Progress on standard error, so that results on standard output stay clean. */
  public static Progress onStandardError() {
    return new Progress(System.err, System::nanoTime);
  }

  public void say(String message) {
    out.println(String.format(Locale.ROOT, "[%5.1fs] %s", seconds(), message));
    out.flush();
  }

  public double seconds() {
    return (nanoTime.getAsLong() - start) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
