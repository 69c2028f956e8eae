package io.orchestra.hadoop.placement.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What a snapshot is told about one host.
 *
 * @param received estimate of what its link brings in, bytes per second; the link's capacity if
 *     nothing is known
 * @param diskCapacity what its disks can write, bytes per second; {@link Long#MAX_VALUE} if they
 *     are no limit
 * @param sequence of the measurement behind {@code received}: pending placements are forgotten when
 *     it changes
 * @param nextUpdate when the next measurement is due, nanoseconds
 */
public record HostLoad(long received, long diskCapacity, long sequence, long nextUpdate) {
  public HostLoad {
    checkArgument(received >= 0, "received: %s", received);
    checkArgument(diskCapacity > 0, "diskCapacity: %s", diskCapacity);
  }
}
