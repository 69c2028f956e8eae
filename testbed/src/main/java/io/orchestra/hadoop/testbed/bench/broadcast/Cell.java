package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.network.Rate;

/**
 * How much goes to how many over which links.
 *
 * @param files that every receiver wants at the same time
 * @param megabytes of each file, in millions of bytes
 * @param receivers hosts that want them and hold no replica
 * @param hostRate of each host's link
 * @param oversubscribed whether the uplink of a rack carries no more than the link of one host
 */
record Cell(int files, int megabytes, int receivers, Rate hostRate, boolean oversubscribed) {
  private static final int FULL_BISECTION = 10;
  private static final int MEGABYTE = 1_000_000;

  /** Uplinks that do not matter. */
  static Cell of(int megabytes, int receivers, Rate hostRate) {
    return new Cell(1, megabytes, receivers, hostRate, false);
  }

  /** The name of its experiment. */
  String name() {
    return (files > 1 ? files + "x" : "")
        + megabytes
        + "mb-"
        + receivers
        + (oversubscribed ? "-oversubscribed" : "");
  }

  /** Of one file. */
  long bytes() {
    return (long) megabytes * MEGABYTE;
  }

  Rate uplinkRate() {
    return oversubscribed ? hostRate : new Rate(FULL_BISECTION * hostRate.bitsPerSecond());
  }

  /** What a link of a host needs for all files. */
  double linkSeconds() {
    return (double) files * bytes() * Byte.SIZE / hostRate.bitsPerSecond();
  }

  /** What {@link Bound} says of it. */
  Bound bound() {
    return new Bound(bytes(), receivers, hostRate);
  }
}
