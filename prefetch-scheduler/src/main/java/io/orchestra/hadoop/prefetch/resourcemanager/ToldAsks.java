package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.primitives.Ints;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Ask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;

/**
 * How many containers an application master asked for last: what is left of that, and what has been
 * allocated since without its knowledge. Not safe for concurrent use.
 */
final class ToldAsks {
  private final Map<Integer, Multiset<String>> places = new HashMap<>();
  private int runningMaps;
  private int runningReduces;
  private int runningOthers;

  /** Part of what is left. */
  void add(ResourceRequest request) {
    Multiset<String> asked =
        places.computeIfAbsent(
            request.getPriority().getPriority(), unused -> HashMultiset.create());
    // Nobody has looked at these numbers: negative ones and sums beyond an int come as well.
    long sum = asked.count(request.getResourceName()) + (long) containers(request);
    asked.setCount(request.getResourceName(), Ints.saturatedCast(sum));
  }

  /** How many are asked for; the ResourceManager keeps negative numbers, and gives nothing. */
  static int containers(ResourceRequest request) {
    return Math.max(0, request.getNumContainers());
  }

  /** A container it has, or will hear of. */
  void add(RMContainer container) {
    ContainerRequest request = container.getContainerRequest();
    if (isUntold(container) && request != null) {
      request.getResourceRequests().forEach(this::add);
    } else {
      count(container);
    }
  }

  private void count(RMContainer container) {
    if (isMap(container)) {
      runningMaps++;
    } else if (priority(container) == ShadowTask.REDUCE) {
      runningReduces++;
    } else if (!container.isAMContainer()) {
      runningOthers++;
    }
  }

  static boolean isUntold(RMContainer container) {
    return container.getState() == RMContainerState.ALLOCATED;
  }

  static boolean isMap(RMContainer container) {
    int priority = priority(container);
    return priority == ShadowTask.MAP || priority == ShadowTask.FAILED_MAP;
  }

  private static int priority(RMContainer container) {
    return container.getAllocatedSchedulerKey().getPriority().getPriority();
  }

  /** By priority and place. */
  Map<Integer, Multiset<String>> places() {
    return places;
  }

  /** Maps whose containers it has, or runs. */
  int runningMaps() {
    return runningMaps;
  }

  /** Maps it asks containers for. */
  long waitingMaps() {
    return (long) waiting(ShadowTask.MAP) + waiting(ShadowTask.FAILED_MAP);
  }

  /**
   * Tasks that wait or run, by their containers. Whatever a container is asked for, a map may run
   * in it: at priorities that MapReduce does not use all count as maps, and reduces count if they
   * are more than maps.
   *
   * @param leastWaitingMaps so many maps wait at least
   */
  long tasks(long leastWaitingMaps) {
    long waitingReduces = waiting(ShadowTask.REDUCE);
    long waiting = places.keySet().stream().mapToLong(this::waiting).sum() - waitingReduces;
    long maps = (long) runningMaps + runningOthers + Math.max(waiting, leastWaitingMaps);
    return Math.max(maps, runningReduces + waitingReduces);
  }

  private int waiting(int priority) {
    Multiset<String> asked = places.get(priority);
    return asked == null ? 0 : asked.count(Ask.ANYWHERE);
  }
}
