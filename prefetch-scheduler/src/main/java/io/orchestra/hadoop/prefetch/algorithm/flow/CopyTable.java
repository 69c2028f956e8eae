package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.orchestra.hadoop.core.topology.Direction;
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

  /** A link whatever its capacity is at the time. */
  private record LinkEnd(String node, Direction direction) {
    private static LinkEnd of(Link link) {
      return new LinkEnd(link.node(), link.direction());
    }
  }

  private final Map<Place, PlannedCopy> copies = new LinkedHashMap<>();
  private final SetMultimap<Task, PlannedCopy> byTask = LinkedHashMultimap.create();
  private final Map<Long, PlannedCopy> byFlow = new HashMap<>();
  private final Map<LinkEnd, Long> told = new HashMap<>();

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
    copies.put(place, copy);
    byTask.put(place.task(), copy);
    byFlow.put(flow.id(), copy);
  }

  /** A copy's daemon is told of a rate. */
  void tell(PlannedCopy copy, long rate) {
    add(copy, rate - copy.told);
    copy.told = rate;
  }

  /** A copy goes on as its reader wants it to. */
  void read(PlannedCopy copy) {
    add(copy, -copy.told);
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

  private void add(PlannedCopy copy, long more) {
    if (copy.state == PlannedCopy.State.COPYING && more != 0) {
      for (Link link : copy.path) {
        told.merge(LinkEnd.of(link), more, CopyTable::sum);
      }
    }
  }

  /** Null for nothing, which a map need not hold. */
  private static Long sum(long before, long more) {
    return before + more == 0 ? null : before + more;
  }

  /** What the flows on a link were told that others do not see: bytes per second of all of them. */
  long told(Link link) {
    return told.getOrDefault(LinkEnd.of(link), 0L);
  }
}
