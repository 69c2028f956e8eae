package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.network.Rate;

/**
 * When the last of some receivers can have a file at the earliest, if one host has it before: in
 * {@code k} pieces, {@code (k + ⌈log₂(n + 1)⌉ − 1) / k} times what a link needs for all of it. A
 * link's rate is taken as its payload's, which it never is.
 *
 * @param bytes of the file
 * @param rate of each host's link, in each direction
 */
record Bound(long bytes, int receivers, Rate rate) {
  /** The smallest that the plugin cuts files of megabytes into; smaller ones tighten it little. */
  private static final int PIECE = 64 * 1024;

  Bound {
    if (bytes < 1 || receivers < 1 || !rate.limited()) {
      throw new IllegalArgumentException(
          "a bound needs bytes, receivers and a limited rate, not %d, %d, %s"
              .formatted(bytes, receivers, rate));
    }
  }

  long pieces() {
    return (bytes + PIECE - 1) / PIECE;
  }

  /** How often the number of hosts with a piece must double: ⌈log₂(n + 1)⌉. */
  int rounds() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(receivers);
  }

  double seconds() {
    return linkSeconds() * (pieces() + rounds() - 1) / pieces();
  }

  private double linkSeconds() {
    return (double) bytes * Byte.SIZE / rate.bitsPerSecond();
  }

  Measurement measurement() {
    return Measurement.builder()
        .figure(Reception.LAST, seconds())
        .figure(Reception.TO_LINK, seconds() / linkSeconds())
        .check(
            "it is computed",
            true,
            "%d bytes in %d pieces, %d rounds, %s".formatted(bytes, pieces(), rounds(), rate))
        .build();
  }
}
