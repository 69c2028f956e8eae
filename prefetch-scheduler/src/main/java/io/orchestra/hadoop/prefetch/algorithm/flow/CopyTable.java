package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The copies that have begun, by what they are for and by their flows. Not safe for concurrent use.
 */
final class CopyTable {
  /** Who reads. */
  record Task(String job, String attempt) {}

  /** What is brought for whom, and to where. */
  record Place(Task task, String block, String target) {
    static Place of(PrefetchNeed need) {
      return new Place(new Task(need.job(), need.task()), need.block(), need.target());
    }
  }

  private final Map<Place, PlannedCopy> copies = new LinkedHashMap<>();
  private final SetMultimap<Task, PlannedCopy> byTask = LinkedHashMultimap.create();
  private final Map<Long, PlannedCopy> byFlow = new LinkedHashMap<>();

  /** Null if there is none. */
  PlannedCopy at(Place place) {
    return copies.get(place);
  }

  /** Whose flow this is; empty if it has ended. */
  Optional<PlannedCopy> of(long flow) {
    return Optional.ofNullable(byFlow.get(flow));
  }

  /** Those for a task. */
  List<PlannedCopy> of(Task task) {
    return List.copyOf(byTask.get(task));
  }

  /** Those for a task at a host. */
  List<PlannedCopy> of(String job, String attempt, String target) {
    return of(new Task(job, attempt)).stream()
        .filter(copy -> copy.need.target().equals(target))
        .toList();
  }

  /** All, in the order in which they began first. */
  List<PlannedCopy> all() {
    return List.copyOf(copies.values());
  }

  /** Those whose flows have not ended, in the order in which these began. */
  Stream<PlannedCopy> begun() {
    return byFlow.values().stream();
  }

  /** Those on their way that no task reads yet. */
  Stream<PlannedCopy> copying() {
    return copies.values().stream().filter(copy -> copy.state == PlannedCopy.State.COPYING);
  }

  /** A copy is on its way from now on. */
  void begin(PlannedCopy copy, PrefetchFlow flow, long now) {
    copy.begin(flow, now);
    Place place = Place.of(copy.need);
    copies.put(place, copy);
    byTask.put(place.task(), copy);
    byFlow.put(flow.id(), copy);
  }

  /** A copy has another flow from now on. */
  void move(PlannedCopy copy, PrefetchFlow flow, long now) {
    end(copy);
    copy.move(flow, now);
    byFlow.put(flow.id(), copy);
  }

  /** A copy's flow has ended. */
  void end(PlannedCopy copy) {
    byFlow.remove(copy.flow.id());
  }

  /** A copy is needed no more. */
  void remove(PlannedCopy copy) {
    Place place = Place.of(copy.need);
    copies.remove(place);
    byTask.remove(place.task(), copy);
    end(copy);
  }
}
