package io.orchestra.hadoop.placement.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * What a snapshot is told about one host.
 *
 * @param received estimate of what its link brings in, bytes per second; the link's capacity if
 *     nothing is known
 * @param foreign the part of {@code received} that is no replica being written, bytes per second
 * @param copySources for each replica that is being written to it now the number of the host it
 *     comes from, or {@link #OUTSIDE}
 * @param diskCapacity what its disks can write, bytes per second; {@link Long#MAX_VALUE} if they
 *     are no limit
 * @param measured when, nanoseconds
 * @param nextUpdate when the next measurement is due, nanoseconds
 * @param isSilent whether nothing is known of it: then {@code foreign} counts on its own link only
 */
public record HostLoad(
    long received,
    long foreign,
    ImmutableList<Integer> copySources,
    long diskCapacity,
    long measured,
    long nextUpdate,
    boolean isSilent) {

  /** A source that is no host of the tree. */
  public static final int OUTSIDE = -1;

  public HostLoad {
    checkArgument(received >= 0, "received: %s", received);
    checkArgument(foreign >= 0, "foreign: %s", foreign);
    checkArgument(diskCapacity > 0, "diskCapacity: %s", diskCapacity);
  }

  /** One that has been heard of. */
  public HostLoad(
      long received,
      long foreign,
      ImmutableList<Integer> copySources,
      long diskCapacity,
      long measured,
      long nextUpdate) {
    this(received, foreign, copySources, diskCapacity, measured, nextUpdate, false);
  }

  /** A host of whose traffic nothing is a replica. */
  public static HostLoad foreign(long received, long diskCapacity, long measured, long nextUpdate) {
    return new HostLoad(received, received, ImmutableList.of(), diskCapacity, measured, nextUpdate);
  }

  /**
   * A host that nobody hears of: a missing measurement counts as a full link (Sinbad, section 6.2).
   *
   * @param capacity of its link, bytes per second
   */
  public static HostLoad silent(long capacity, long diskCapacity, long now) {
    return new HostLoad(capacity, capacity, ImmutableList.of(), diskCapacity, now, now, true);
  }
}
