package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.orchestra.hadoop.core.topology.Link;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The copies that the planner knows, by what they are for and by their flows, and what their
 * daemons were told. Not safe for concurrent use.
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
  private final Map<Long, PlannedCopy> byFlow = new HashMap<>();
  private final LinkSums told = new LinkSums();
  private final LinkSums waiting = new LinkSums();

  /** Null if there is none. */
  PlannedCopy at(Place place) {
    return copies.get(place);
  }

  /** Whose flow this is; empty if it has ended. */
  Optional<PlannedCopy> of(long flow) {
    return Optional.ofNullable(byFlow.get(flow));
  }

  /** Those for a task at a host. */
  List<PlannedCopy> of(String job, String attempt, String target) {
    return byTask.get(new Task(job, attempt)).stream()
        .filter(copy -> copy.need.target().equals(target))
        .toList();
  }

  List<Place> places() {
    return List.copyOf(copies.keySet());
  }

  /** Those on their way that no task reads yet, in the order in which they began. */
  Stream<PlannedCopy> copying() {
    return copies.values().stream().filter(copy -> copy.state == PlannedCopy.State.COPYING);
  }

  /** A copy is on its way from now on; its daemon is not told yet. */
  void begin(PlannedCopy copy, PrefetchFlow flow, List<Link> path) {
    Place place = Place.of(copy.need);
    copy.state = PlannedCopy.State.COPYING;
    copy.flow = flow;
    copy.path = path;
    copy.done = 0;
    copy.told = 0;
    copy.waiting = 0;
    await(copy, copy.remaining());
    copies.put(place, copy);
    byTask.put(place.task(), copy);
    byFlow.put(flow.id(), copy);
  }

  /** A copy's daemon is told of a rate. */
  void tell(PlannedCopy copy, long rate) {
    told.add(copy.path, rate - copy.told);
    copy.told = rate;
  }

  /** So much of a copy has come. */
  void progress(PlannedCopy copy, long bytes) {
    copy.done = Math.max(copy.done, bytes);
    if (copy.state == PlannedCopy.State.COPYING) {
      await(copy, copy.remaining());
    }
  }

  /** A copy goes on as its reader wants it to. */
  void read(PlannedCopy copy) {
    if (copy.state == PlannedCopy.State.COPYING) {
      told.add(copy.path, -copy.told);
      await(copy, 0);
    }
    copy.state = PlannedCopy.State.SETTLED;
  }

  /** A copy's flow has ended. */
  void end(PlannedCopy copy, PlannedCopy.State after) {
    read(copy);
    byFlow.remove(copy.flow.id());
    copy.state = after;
  }

  /** A copy is needed no more. */
  PlannedCopy remove(Place place) {
    PlannedCopy copy = copies.remove(place);
    byTask.remove(place.task(), copy);
    end(copy, PlannedCopy.State.SETTLED);
    return copy;
  }

  private void await(PlannedCopy copy, long bytes) {
    waiting.add(copy.path, bytes - copy.waiting);
    copy.waiting = bytes;
  }

  /** What the flows on a link were told that others do not see: bytes per second of all of them. */
  long told(Link link) {
    return told.of(link);
  }

  /** Bytes that have not come yet of the flows on a link. */
  long waiting(Link link) {
    return waiting.of(link);
  }
}
