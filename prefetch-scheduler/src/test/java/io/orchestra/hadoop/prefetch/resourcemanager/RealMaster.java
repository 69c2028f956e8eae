package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * A MapReduce application master that talks to a real scheduler, written apart from the shadow's:
 * by searching lists.
 */
final class RealMaster {
  private static final int REDUCE = 10;
  private static final Resource REDUCE_SIZE = Resource.newInstance(256, 1);

  /** A map that got a container. */
  record Launch(Container container, ShadowTask task, Locality locality) {}

  private final ApplicationAttemptId attempt;
  private final Resource mapSize;
  private final Map<String, String> rackOf;
  private final int reduces;
  private final List<ShadowTask> waiting;
  private final Set<String> unsent = new HashSet<>();
  private final List<ContainerId> unwanted = new ArrayList<>();
  private List<ShadowTask> served = List.of();
  private boolean started;

  /** One without reduces. */
  RealMaster(
      ApplicationAttemptId attempt,
      Resource mapSize,
      List<ShadowTask> maps,
      Map<String, String> rackOf) {
    this(attempt, mapSize, maps, rackOf, 0);
  }

  /**
   * @param rackOf each host
   * @param reduces which it asks for at once, and which never end
   */
  RealMaster(
      ApplicationAttemptId attempt,
      Resource mapSize,
      List<ShadowTask> maps,
      Map<String, String> rackOf,
      int reduces) {
    this.attempt = attempt;
    this.mapSize = mapSize;
    this.rackOf = rackOf;
    this.reduces = reduces;
    waiting = new ArrayList<>(maps);
    maps.forEach(map -> unsent.addAll(places(map)));
  }

  ApplicationAttemptId attempt() {
    return attempt;
  }

  /** Whether it runs, and its maps are known. */
  boolean started() {
    return started;
  }

  List<ShadowTask> waiting() {
    return List.copyOf(waiting);
  }

  /** Maps that got containers at the last heartbeat. */
  List<ShadowTask> served() {
    return served;
  }

  List<Launch> heartbeat(RealScheduler scheduler) {
    if (!started) {
      // The ResourceManager fetches the master's own container.
      started = !scheduler.allocate(attempt, List.of(), List.of()).isEmpty();
      if (started && reduces > 0) {
        ResourceRequest ask =
            RealScheduler.request(REDUCE, ResourceRequest.ANY, REDUCE_SIZE, reduces);
        List<Container> unused = scheduler.allocate(attempt, List.of(ask), List.of());
      }
      return List.of();
    }
    List<ResourceRequest> asks = new ArrayList<>();
    for (String place : unsent) {
      int count = (int) waiting.stream().filter(map -> places(map).contains(place)).count();
      asks.add(RealScheduler.request(ShadowTask.MAP, place, mapSize, count));
    }
    unsent.clear();
    List<Container> containers =
        new ArrayList<>(scheduler.allocate(attempt, asks, List.copyOf(unwanted)));
    unwanted.clear();
    containers.removeIf(container -> container.getPriority().getPriority() == REDUCE);
    List<Launch> launches = new ArrayList<>();
    for (Locality locality : Locality.values()) {
      for (Container container : List.copyOf(containers)) {
        String host = container.getNodeId().getHost();
        waiting.stream()
            .filter(map -> reaches(map, host, locality))
            .findFirst()
            .ifPresent(
                map -> {
                  waiting.remove(map);
                  containers.remove(container);
                  unsent.addAll(places(map));
                  launches.add(new Launch(container, map, locality));
                });
      }
    }
    containers.stream()
        .map(Container::getId)
        .sorted(Comparator.naturalOrder())
        .forEach(unwanted::add);
    served = launches.stream().map(Launch::task).toList();
    return launches;
  }

  private boolean reaches(ShadowTask map, String host, Locality locality) {
    return switch (locality) {
      case NODE_LOCAL -> map.hosts().contains(host);
      case RACK_LOCAL -> map.racks().contains(rackOf.get(host));
      case OFF_SWITCH -> true;
    };
  }

  private static Set<String> places(ShadowTask map) {
    Set<String> places = new LinkedHashSet<>(map.hosts());
    places.addAll(map.racks());
    places.add(ResourceRequest.ANY);
    return places;
  }
}
