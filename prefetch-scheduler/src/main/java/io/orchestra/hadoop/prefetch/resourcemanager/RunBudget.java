package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.core.daemon.ProcessorTime;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How much a prediction may take. What counts is the processor's time of its thread: on a machine
 * that stands still, or does other things, nobody has computed for too long. Used by one thread.
 */
final class RunBudget implements BooleanSupplier {
  private final long nanos;
  private final LongSupplier clock;
  private final LongSupplier work;
  private final long begun;
  private final long workedBefore;

  /**
   * @param clock nanoseconds, cheap to ask for
   * @param work nanoseconds of the processor, never more than those of the clock
   */
  @VisibleForTesting
  RunBudget(long nanos, LongSupplier clock, LongSupplier work) {
    this.nanos = nanos;
    this.clock = clock;
    this.work = work;
    begun = clock.getAsLong();
    workedBefore = work.getAsLong();
  }

  /** Of the calling thread, from now on. */
  static RunBudget of(long nanos) {
    return new RunBudget(nanos, System::nanoTime, ProcessorTime::nanos);
  }

  /** Whether it is spent. */
  @Override
  public boolean getAsBoolean() {
    return clock.getAsLong() - begun > nanos && work.getAsLong() - workedBefore > nanos;
  }
}
