package io.orchestra.hadoop.testbed.bench.sample;

import io.orchestra.hadoop.testbed.bench.LinkBytes;
import io.orchestra.hadoop.testbed.bench.Links;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads the processors' and the links' counters.
 *
 * @param cpu the processors' times now
 * @param nanoTime as {@link System#nanoTime}
 */
public record Sampler(Supplier<CpuTimes> cpu, LongSupplier nanoTime) {

  public static Sampler ofThisMachine() {
    return new Sampler(CpuTimes::ofThisMachine, System::nanoTime);
  }

  /** Reads all counters once a second from now on. */
  public Sampling start(Optional<Links> links) {
    return new Sampling(this, links);
  }

  Snapshot snapshot(Optional<Links> links) {
    Map<String, Long> bytes = links.map(Links::bytes).map(LinkBytes::read).orElse(Map.of());
    return new Snapshot(nanoTime.getAsLong(), cpu.get(), bytes);
  }
}
