package io.orchestra.hadoop.core.meter;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The load of many hosts' links, as a collector knows it from their samples (Sinbad, section 6.2).
 *
 * <p>A host that has not been heard of for {@code timeout} has no load here; the caller treats such
 * a link as full. Safe for concurrent use.
 */
public final class LinkLoads {

  /**
   * What one host measured.
   *
   * @param sequence grows with every sample of one host
   * @param received bytes per second
   * @param foreign the part of {@code received} that is not HDFS blocks being written, bytes per
   *     second
   * @param interval until the host's next sample
   */
  public record Sample(long sequence, long received, long foreign, Duration interval) {}

  /**
   * What is known about one host.
   *
   * @param sequence of the newest sample
   * @param received smoothed, bytes per second
   * @param foreign smoothed, bytes per second
   * @param arrival of the newest sample, on the table's clock, nanoseconds
   * @param interval from there to the next sample
   */
  public record Load(
      long sequence, double received, double foreign, long arrival, Duration interval) {}

  private final Supplier<Smoothing> smoothing;
  private final Supplier<Duration> timeout;
  private final LongSupplier nanoClock;
  private final Map<String, Load> loads = new ConcurrentHashMap<>();

  /**
   * @param smoothing asked at every sample, so that it may change
   * @param timeout how long a sample counts; asked every time
   */
  public LinkLoads(
      Supplier<Smoothing> smoothing, Supplier<Duration> timeout, LongSupplier nanoClock) {
    this.smoothing = smoothing;
    this.timeout = timeout;
    this.nanoClock = nanoClock;
  }

  /**
   * Takes a sample in.
   *
   * @return false if the sample is older than one already seen, and was dropped
   */
  public boolean record(String host, Sample sample) {
    long now = nanoClock.getAsLong();
    Smoothing rule = smoothing.get();
    AtomicBoolean taken = new AtomicBoolean();
    loads.compute(
        host,
        (name, last) -> {
          boolean first = last == null || isStale(last, now);
          taken.set(first || sample.sequence() > last.sequence());
          if (!taken.get()) {
            return last;
          }
          return new Load(
              sample.sequence(),
              first ? rule.first(sample.received()) : rule.next(last.received(), sample.received()),
              first ? rule.first(sample.foreign()) : rule.next(last.foreign(), sample.foreign()),
              now,
              sample.interval());
        });
    return taken.get();
  }

  /**
   * @return empty if the host never sent a sample, or fell silent
   */
  public Optional<Load> load(String host) {
    Load load = loads.get(host);
    return load == null || isStale(load, nanoClock.getAsLong())
        ? Optional.empty()
        : Optional.of(load);
  }

  /**
   * Forgets hosts that have been silent, so that the table does not grow with every host that ever
   * was.
   */
  public void forgetSilent() {
    long now = nanoClock.getAsLong();
    loads.values().removeIf(load -> isStale(load, now));
  }

  private boolean isStale(Load load, long now) {
    return now - load.arrival() > timeout.get().toNanos();
  }
}
