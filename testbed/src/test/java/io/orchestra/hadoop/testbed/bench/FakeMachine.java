package io.orchestra.hadoop.testbed.bench;

import io.orchestra.hadoop.testbed.bench.sample.CpuTimes;
import io.orchestra.hadoop.testbed.bench.sample.Sampler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A machine whose clock goes on by a second whenever it is read, whose processors are idle for a
 * part of each second, and whose two links of 100 bytes a second carry the same in each second.
 */
public final class FakeMachine {
  private final AtomicLong seconds = new AtomicLong();
  private final int idlePercent;
  private final int busyBytes;

  /**
   * @param busyBytes what the link {@code busy} carries in a second; {@code quiet} carries 10
   */
  public FakeMachine(int idlePercent, int busyBytes) {
    this.idlePercent = idlePercent;
    this.busyBytes = busyBytes;
  }

  public Sampler sampler() {
    return new Sampler(
        () -> new CpuTimes(idlePercent * seconds.get(), 100 * seconds.get()),
        () -> seconds.incrementAndGet() * 1_000_000_000L);
  }

  public Links links() {
    return Links.of(
            () -> Map.of("busy", busyBytes * seconds.get(), "quiet", 10 * seconds.get()),
            Map.of("busy", 100.0, "quiet", 100.0))
        .withGroup("the quiet one", List.of("quiet"));
  }
}
