package io.orchestra.hadoop.testbed.bench;

import java.util.Optional;

/**
 * Whether a job writes the same in all arms and repetitions: what it wrote in the first of them.
 */
public final class SameOutput {
  private Optional<String> first = Optional.empty();

  /** Adds the check of one run. */
  public void check(Measurement.Builder measurement, String checksum) {
    first = first.or(() -> Optional.of(checksum));
    measurement.check(
        "the output is that of all other runs", first.equals(Optional.of(checksum)), checksum);
  }
}
