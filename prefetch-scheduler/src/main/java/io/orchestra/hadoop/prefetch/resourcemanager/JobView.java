package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * What is known of a MapReduce job beyond what its asks say.
 *
 * @param waitingMaps that have no container, in the order of its application master
 * @param served maps that got their containers at the last heartbeat of the application master
 * @param reported containers whose maps are known to run
 * @param ends when containers of its running tasks are foretold to end, nanoseconds; those that are
 *     missing end nobody knows when
 */
public record JobView(
    List<ShadowTask> waitingMaps,
    List<ShadowTask> served,
    Set<ContainerId> reported,
    Map<ContainerId, Long> ends) {
  public JobView {
    waitingMaps = ImmutableList.copyOf(waitingMaps);
    served = ImmutableList.copyOf(served);
    reported = ImmutableSet.copyOf(reported);
    ends = ImmutableMap.copyOf(ends);
  }

  /**
   * What one of its maps that wait, or have just got their containers, is expected to take beside
   * its input; 0 while that is unknown.
   */
  long mapNanos() {
    return Stream.concat(waitingMaps.stream(), served.stream())
        .mapToLong(ShadowTask::nanosHere)
        .filter(nanos -> nanos != ShadowContainer.NEVER)
        .findFirst()
        .orElse(0);
  }
}
