package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multiset;
import com.google.common.collect.SetMultimap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an application master believes it asks for, and what it has not told the scheduler yet
 * (RMContainerRequestor). It tells totals, and knows nothing of containers it has not got.
 */
final class AskTable {
  private final Map<Integer, Multiset<String>> wanted = new HashMap<>();
  private final SetMultimap<Integer, String> changed = LinkedHashMultimap.create();

  /**
   * @param waiting maps without a container
   * @param served tasks that got their containers at the last heartbeat, so that the scheduler will
   *     hear of them at the next
   * @param told how many containers the scheduler was last told of, by priority and place
   */
  AskTable(List<ShadowTask> waiting, List<ShadowTask> served, Map<Integer, Multiset<String>> told) {
    for (ShadowTask task : waiting) {
      Multiset<String> places = at(task.priority());
      places.addAll(task.askedPlaces());
      places.add(Ask.ANYWHERE);
    }
    at(ShadowTask.REDUCE).setCount(Ask.ANYWHERE, reduces(told));
    for (ShadowTask task : served) {
      changed.putAll(task.priority(), task.askedPlaces());
      changed.put(task.priority(), Ask.ANYWHERE);
    }
    told.forEach(
        (priority, places) ->
            places.elementSet().stream()
                .filter(place -> places.count(place) != at(priority).count(place))
                .forEach(place -> changed.put(priority, place)));
    wanted.forEach(
        (priority, places) ->
            places.elementSet().stream()
                .filter(place -> places.count(place) != count(told, priority, place))
                .forEach(place -> changed.put(priority, place)));
  }

  /** Reduces that containers were asked for. */
  static int reduces(Map<Integer, Multiset<String>> told) {
    return count(told, ShadowTask.REDUCE, Ask.ANYWHERE);
  }

  private Multiset<String> at(int priority) {
    return wanted.computeIfAbsent(priority, unused -> HashMultiset.create());
  }

  private static int count(Map<Integer, Multiset<String>> counts, int priority, String place) {
    Multiset<String> places = counts.get(priority);
    return places == null ? 0 : places.count(place);
  }

  /** A task has its container. */
  void assigned(ShadowTask task) {
    task.askedPlaces().forEach(place -> decrement(task.priority(), place));
    decrement(task.priority(), Ask.ANYWHERE);
  }

  private void decrement(int priority, String place) {
    at(priority).remove(place);
    changed.put(priority, place);
  }

  /** Tells the scheduler all that has changed since the last time. */
  void tell(ShadowApp app) {
    for (int priority : changed.keySet()) {
      Ask ask = app.remembered(priority);
      if (ask == null) {
        continue;
      }
      for (String place : changed.get(priority)) {
        ask.put(place, at(priority).count(place), true);
      }
      if (ask.containers() == 0) {
        app.forget(ask);
      } else {
        app.ask(ask);
      }
    }
    changed.clear();
  }
}
