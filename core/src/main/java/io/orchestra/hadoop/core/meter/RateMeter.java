package io.orchestra.hadoop.core.meter;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Turns an interface's counters into rates, from one call to the next. Used by one thread.
 *
 * <p>A counter that went backwards (driver reloaded, interface replaced) gives no rate for that
 * interval instead of a wrong one.
 */
public final class RateMeter {

  /**
   * @param received bytes per second
   * @param transmitted bytes per second
   * @param interval what the rates are averages over
   */
  public record Rates(long received, long transmitted, Duration interval) {}

  private final InterfaceCounters counters;
  private InterfaceCounters.Reading last;

  public RateMeter(InterfaceCounters counters) {
    this.counters = counters;
  }

  /**
   * @return the rates since the last call; empty the first time, after a reset, or when no time has
   *     passed
   */
  public Optional<Rates> sample() throws IOException {
    InterfaceCounters.Reading before = last;
    last = counters.read();
    if (before == null) {
      return Optional.empty();
    }
    long nanos = last.nanoTime() - before.nanoTime();
    long received = last.received() - before.received();
    long transmitted = last.transmitted() - before.transmitted();
    if (nanos <= 0 || received < 0 || transmitted < 0) {
      return Optional.empty();
    }
    double seconds = nanos / 1e9;
    return Optional.of(
        new Rates(
            (long) (received / seconds), (long) (transmitted / seconds), Duration.ofNanos(nanos)));
  }
}
