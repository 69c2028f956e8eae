package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A task that waits for a container.
 *
 * @param id of the task's attempt
 * @param priority at which its container is asked for
 * @param hosts that have its input; empty for reduces
 * @param racks of these hosts
 * @param nanosHere it takes from its launch to its end on one of these hosts, as far as known; else
 *     {@link ShadowContainer#NEVER}
 * @param nanosElsewhere the same on another host
 */
public record ShadowTask(
    String id,
    int priority,
    List<String> hosts,
    List<String> racks,
    long nanosHere,
    long nanosElsewhere) {

  /** A map that has failed before is asked for without regard to its input. */
  public static final int FAILED_MAP = 5;

  public static final int REDUCE = 10;
  public static final int MAP = 20;

  /** No id of a map's attempt begins so. */
  static final String REDUCE_ID = "reduce ";

  public ShadowTask {
    hosts = ImmutableList.copyOf(hosts);
    racks = ImmutableList.copyOf(racks);
  }

  /** One that takes the same everywhere. */
  public ShadowTask(String id, int priority, List<String> hosts, List<String> racks, long nanos) {
    this(id, priority, hosts, racks, nanos, nanos);
  }

  /** One of which nothing is known but that it is a reduce. */
  static ShadowTask reduce(int number) {
    return new ShadowTask(REDUCE_ID + number, REDUCE, List.of(), List.of(), ShadowContainer.NEVER);
  }

  /** What it takes where it is launched. */
  long nanos(Locality locality) {
    return locality == Locality.NODE_LOCAL ? nanosHere : nanosElsewhere;
  }

  /** Hosts and racks for which its container is asked, besides anywhere. */
  List<String> askedPlaces() {
    return priority == MAP
        ? ImmutableList.<String>builder().addAll(hosts).addAll(racks).build()
        : List.of();
  }
}
