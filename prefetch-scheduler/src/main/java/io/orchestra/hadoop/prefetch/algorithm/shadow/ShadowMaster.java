package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.Multiset;
import io.orchestra.hadoop.prefetch.algorithm.shadow.TaskMatcher.Match;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A MapReduce application master: at each of its heartbeats it tells the scheduler what it wants,
 * takes the containers that were allocated since, and gives them to tasks.
 */
public final class ShadowMaster {
  private final ShadowApp app;
  private final TaskMatcher matcher;
  private final List<Match> early;
  private final AskTable asks;
  private final List<ShadowContainer> unwanted = new ArrayList<>();

  /**
   * @param waiting maps without a container, in the master's order, as far as is known
   * @param served tasks that got their containers at its last heartbeat
   * @param unreported containers it has got since it said what waits; it has given them to some of
   *     these, or will release them
   * @param told how many containers the scheduler was last told of, by priority and place; of
   *     reduces nobody needs to know more
   */
  public ShadowMaster(
      ShadowApp app,
      List<ShadowTask> waiting,
      List<ShadowTask> served,
      List<ShadowContainer> unreported,
      Map<Integer, Multiset<String>> told) {
    this.app = app;
    matcher = new TaskMatcher(waiting, AskTable.reduces(told));
    early = matcher.match(unreported);
    Set<ShadowTask> left = new LinkedHashSet<>(waiting);
    List<ShadowTask> untold = new ArrayList<>(served);
    for (Match match : early) {
      left.remove(match.task());
      untold.add(match.task());
    }
    asks = new AskTable(List.copyOf(left), untold, told);
    unwanted.addAll(unreported);
    early.forEach(match -> unwanted.remove(match.container()));
  }

  /** What containers are for that it had got before the snapshot, unreported. */
  List<Match> early() {
    return early;
  }

  ShadowApp app() {
    return app;
  }

  /** What its containers are for, since the last heartbeat. */
  List<Match> heartbeat(ShadowCluster cluster) {
    unwanted.forEach(cluster::release);
    unwanted.clear();
    asks.tell(app);
    List<ShadowContainer> containers = new ArrayList<>(app.allocated());
    app.allocated().clear();
    List<Match> matches = matcher.match(containers);
    for (Match match : matches) {
      asks.assigned(match.task());
      containers.remove(match.container());
    }
    unwanted.addAll(containers);
    return matches;
  }
}
