package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.SetMultimap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** An application. */
public final class ShadowApp extends ShadowSchedulable {
  private static final double LOG_2 = Math.log(2);

  /**
   * What an application is at the moment of the snapshot.
   *
   * @param name its id
   * @param startTime of the application
   * @param runnable false while it waits for a place in its queue
   * @param masterRuns false while its first container is its master's
   * @param sizeBasedWeight whether it weighs by its demand
   * @param minShareStarved whether its queue has had less than its minimum for long
   * @param blacklist nodes and racks it wants no container on
   */
  public record Facts(
      String name,
      long startTime,
      boolean runnable,
      boolean masterRuns,
      boolean sizeBasedWeight,
      boolean minShareStarved,
      Set<String> blacklist) {

    public Facts {
      blacklist = ImmutableSet.copyOf(blacklist);
    }
  }

  private final ShadowLeafQueue queue;
  private final Facts facts;
  private final ResourceVector none;
  private final ResourceVector unbounded;
  private final List<Ask> asks = new ArrayList<>();
  private final List<Ask> dormant = new ArrayList<>();
  private final SetMultimap<String, String> reservations = HashMultimap.create();
  private final List<ShadowContainer> allocated = new ArrayList<>();
  private boolean masterRuns;

  /** Counts full nodes that its queue passes over; null if that takes more than counting. */
  private Ask counting;

  /** By the queue's count. */
  private long counted;

  public ShadowApp(
      ShadowLeafQueue queue,
      Facts facts,
      ResourceVector usage,
      ResourceVector demand,
      ResourceVector fairShare) {
    super(facts.name(), usage, demand, fairShare);
    this.queue = queue;
    this.facts = facts;
    masterRuns = facts.masterRuns();
    none = ResourceVector.zero(usage.size());
    unbounded = ResourceVector.zero(usage.size());
    for (int resource = 0; resource < usage.size(); resource++) {
      unbounded.set(resource, Long.MAX_VALUE);
    }
    queue.addApp(this);
  }

  @Override
  public long startTime() {
    return facts.startTime();
  }

  /** FSAppAttempt 1313: floats, as there. */
  @Override
  public double weight() {
    return facts.sizeBasedWeight() ? (float) (Math.log1p(demand().value(0)) / LOG_2) : 1;
  }

  /** Whether its weight changes with its demand. */
  boolean weighsBySize() {
    return facts.sizeBasedWeight();
  }

  @Override
  public ResourceVector minShare() {
    return none;
  }

  @Override
  public ResourceVector maxShare() {
    return unbounded;
  }

  @Override
  ShadowLeafQueue parent() {
    return queue;
  }

  boolean isRunnable() {
    return facts.runnable();
  }

  boolean avoids(ShadowNode node) {
    return !facts.blacklist().isEmpty()
        && (facts.blacklist().contains(node.name()) || facts.blacklist().contains(node.rack()));
  }

  boolean masterRuns() {
    return masterRuns;
  }

  void masterStarted() {
    masterRuns = true;
  }

  /** FSAppAttempt 1105. */
  boolean isStarved() {
    return queue.policy().isBelow(usage(), fairShare()) || facts.minShareStarved();
  }

  /** Takes an ask over. One for no container anywhere only remembers places. */
  public void ask(Ask ask) {
    queue.change(this, () -> replace(ask));
  }

  private void replace(Ask ask) {
    remove(ask);
    if (ask.containers() == 0) {
      dormant.add(ask);
      return;
    }
    int at = 0;
    while (at < asks.size() && asks.get(at).key().compareTo(ask.key()) < 0) {
      at++;
    }
    asks.add(at, ask);
  }

  void forget(Ask ask) {
    queue.change(this, () -> remove(ask));
  }

  private void remove(Ask ask) {
    asks.removeIf(known -> known.key().equals(ask.key()));
    dormant.removeIf(known -> known.key().equals(ask.key()));
  }

  /**
   * Whether each full node that is offered does nothing but be counted: it asks once, and would
   * take any node.
   */
  boolean onlyCounts() {
    return masterRuns && facts.blacklist().isEmpty() && asks.size() == 1 && asks.get(0).isRelaxed();
  }

  /**
   * @param passed full nodes that its queue has passed over so far; here and below
   */
  void startCounting(long passed) {
    counting = asks.get(0);
    counted = passed;
  }

  void count(long passed) {
    if (counting != null) {
      counting.delay().passedOver(passed - counted);
      counted = passed;
    }
  }

  void stopCounting(long passed) {
    count(passed);
    counting = null;
  }

  boolean isCounting() {
    return counting != null;
  }

  /** Asks for containers, those that are served first first. */
  List<Ask> asks() {
    return asks;
  }

  /** The ask of this key; null if there is none. */
  Ask ask(AskKey key) {
    return asks.stream().filter(ask -> ask.key().equals(key)).findFirst().orElse(null);
  }

  /** The ask of this priority, one for no container among them; null if there is none. */
  Ask remembered(int priority) {
    return allAsks().filter(ask -> ask.key().priority() == priority).findFirst().orElse(null);
  }

  /** All asks, those for no container among them. */
  Stream<Ask> allAsks() {
    return Stream.concat(asks.stream(), dormant.stream());
  }

  /** Nodes it has reserved, by rack. */
  SetMultimap<String, String> reservations() {
    return reservations;
  }

  /** Containers its master has not been told of. */
  List<ShadowContainer> allocated() {
    return allocated;
  }

  @Override
  void updateDemand() {
    demand().set(usage());
    for (Ask ask : asks) {
      demand().add(ask.capability(), ask.containers());
    }
  }
}
