package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which task gets which container, as MapReduce's application master decides
 * (RMContainerAllocator.ScheduledRequests 1150-1480): containers for failed maps and reduces first
 * come, first served; then every container its host's first map, then its rack's first map, then
 * the first map there is.
 */
public final class TaskMatcher {

  /**
   * A container's task.
   *
   * @param locality of the task's input
   */
  public record Match(ShadowContainer container, ShadowTask task, Locality locality) {}

  private final Deque<ShadowTask> failedMaps = new ArrayDeque<>();
  private final Map<String, ShadowTask> maps = new LinkedHashMap<>();
  private final Map<String, Deque<ShadowTask>> byHost = new HashMap<>();
  private final Map<String, Deque<ShadowTask>> byRack = new HashMap<>();
  private final int reduces;
  private int servedReduces;

  /**
   * @param waiting maps, in the order in which the application master has them
   * @param reduces that wait; however many are asked for, only those that are served become tasks
   */
  public TaskMatcher(List<ShadowTask> waiting, int reduces) {
    this.reduces = reduces;
    waiting.forEach(this::add);
  }

  private void add(ShadowTask task) {
    if (task.priority() == ShadowTask.FAILED_MAP) {
      failedMaps.add(task);
    } else {
      maps.put(task.id(), task);
      task.hosts().forEach(host -> queue(byHost, host).add(task));
      task.racks().forEach(rack -> queue(byRack, rack).add(task));
    }
  }

  private static Deque<ShadowTask> queue(Map<String, Deque<ShadowTask>> queues, String place) {
    return queues.computeIfAbsent(place, unused -> new ArrayDeque<>());
  }

  /** Tasks that have no container yet. */
  public long waiting() {
    return (long) failedMaps.size() + maps.size() + reduces - servedReduces;
  }

  /**
   * Matches containers that come together. One of a priority that MapReduce does not ask at is
   * returned by its application master (RMContainerAllocator.ScheduledRequests.assign).
   *
   * @return a match for each container but those that no task wants
   */
  public List<Match> match(List<ShadowContainer> containers) {
    List<Match> matches = new ArrayList<>();
    List<ShadowContainer> left = new ArrayList<>();
    for (ShadowContainer container : containers) {
      switch (container.key().priority()) {
        case ShadowTask.FAILED_MAP -> serve(failedMaps.poll(), container, matches);
        case ShadowTask.REDUCE -> serve(nextReduce(), container, matches);
        case ShadowTask.MAP -> left.add(container);
        default -> {}
      }
    }
    match(left, Locality.NODE_LOCAL, c -> firstMap(byHost.get(c.node().host())), matches);
    match(left, Locality.RACK_LOCAL, c -> firstMap(byRack.get(c.node().rack())), matches);
    match(left, Locality.OFF_SWITCH, c -> anyMap(), matches);
    return matches;
  }

  /** Null if none waits. */
  private ShadowTask nextReduce() {
    return servedReduces < reduces ? ShadowTask.reduce(servedReduces++) : null;
  }

  private static void serve(ShadowTask task, ShadowContainer container, List<Match> matches) {
    if (task != null) {
      matches.add(new Match(container, task, locality(task, container.node())));
    }
  }

  private static Locality locality(ShadowTask task, ShadowNode node) {
    if (task.hosts().contains(node.host())) {
      return Locality.NODE_LOCAL;
    }
    return task.racks().contains(node.rack()) ? Locality.RACK_LOCAL : Locality.OFF_SWITCH;
  }

  private static void match(
      List<ShadowContainer> left,
      Locality locality,
      Function<ShadowContainer, ShadowTask> choice,
      List<Match> matches) {
    for (Iterator<ShadowContainer> each = left.iterator(); each.hasNext(); ) {
      ShadowContainer container = each.next();
      ShadowTask task = choice.apply(container);
      if (task != null) {
        matches.add(new Match(container, task, locality));
        each.remove();
      }
    }
  }

  /** A map stands in several queues: those that have a container already are passed over. */
  private ShadowTask firstMap(Deque<ShadowTask> queue) {
    while (queue != null && !queue.isEmpty()) {
      ShadowTask task = queue.remove();
      if (maps.remove(task.id()) != null) {
        return task;
      }
    }
    return null;
  }

  private ShadowTask anyMap() {
    if (maps.isEmpty()) {
      return null;
    }
    ShadowTask first = maps.values().iterator().next();
    maps.remove(first.id());
    return first;
  }
}
