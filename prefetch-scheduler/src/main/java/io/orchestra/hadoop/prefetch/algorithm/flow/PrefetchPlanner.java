package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.prefetch.algorithm.flow.CopyTable.Place;
import io.orchestra.hadoop.prefetch.algorithm.flow.CopyTable.Task;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateRule.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns predictions into prefetches (FlexFetch, section III): who goes first is said by CARDINAL's
 * {@link Cardinal.Mode}. No block is brought for the same task to the same host twice, and none is
 * dropped under a task that reads it, as long as the daemon there tells of it. Not safe for
 * concurrent use.
 */
public final class PrefetchPlanner {
  /**
   * Plans in which a need is missing before its copy is cancelled. A task that has got its
   * container is in no prediction any more, and it takes a report until that is known.
   */
  private static final int PATIENCE = 2;

  /** Nanoseconds for which a copy is remembered after its host need not keep it any more. */
  private static final long KEPT = Duration.ofMinutes(1).toNanos();

  /** Plans until a job brings something to a host again that had no room for its blocks. */
  private static final int PAUSE = 5;

  /** What became of a need. */
  public enum Outcome {
    /** It is on its way. */
    STARTED,
    /** No link has room, and nobody less critical could make any. */
    REFUSED,
    /** Its task is launched before anything could come. */
    TOO_LATE,
    /** No host that has the block is known to the network, but for those that have just failed. */
    NO_REPLICA,
    /** It was on its way, and a more critical one needs its rate. */
    ABANDONED,
    /** It was on its way, and its task is elsewhere now, expected no more, or has ended. */
    NOT_NEEDED,
    /** It is on its way, and goes on from another replica, which gives much more. */
    REROUTED,
    /** It has come whole before its task is to read it. */
    DEADLINE_MET,
    /** It has come whole, but later. */
    DEADLINE_MISSED
  }

  /**
   * A need, and what became of it.
   *
   * @param reason such as the link that has no room; may be empty
   */
  public record Decision(PrefetchNeed need, Outcome outcome, String reason) {}

  /** How a copy has ended that was not cancelled. */
  public enum End {
    /** All of the block is there. */
    ARRIVED,
    /** Its source did not give it. */
    FAILED,
    /** Its target does not take it. */
    DECLINED,
    /**
     * Its target is gone, or has forgotten it; or its time was over there, or it was another's copy
     * that did not come.
     */
    LOST,
    /** Its target has no room for it now. */
    NO_ROOM
  }

  /**
   * How much of a block has come.
   *
   * @param bytes of {@code length}
   * @param confirmed whether it was brought only when its task had its container
   */
  public record Share(long bytes, long length, boolean confirmed) {}

  /**
   * A flow on its way.
   *
   * @param rate that its daemon was told, bytes per second; of one that is read, what it was told
   *     last before
   * @param guaranteed what the books allot it at least, bytes per second, and devices keep free for
   *     it if any do; 0 if it is read
   * @param bytes that have come
   * @param reading whether its task reads it, so that it goes as fast as it can
   */
  public record Progress(
      PrefetchFlow flow, long rate, long guaranteed, long bytes, boolean reading) {}

  /** That a task will be launched on a host. */
  public record Launch(String job, String task, String target) {
    private static Launch of(PrefetchNeed need) {
      return new Launch(need.job(), need.task(), need.target());
    }

    private Task reader() {
      return new Task(job, task);
    }
  }

  /** Where a job's blocks go: a host has room for each user apart. */
  private record Destination(String job, String host) {
    private static Destination of(PrefetchNeed need) {
      return new Destination(need.job(), need.target());
    }
  }

  private final CopyTable copies = new CopyTable();
  private final DecisionLog log = new DecisionLog();
  private final ToLongFunction<String> residual;
  private final CopyDesk desk;
  private final RateRule rates;
  private final double steadiness;
  private final Map<Place, PrefetchNeed> wanted = new LinkedHashMap<>();

  /** For which nothing begins. */
  private Set<Launch> heldLaunches = Set.of();

  /** Since when each launch has been foretold in every plan, nanoseconds. */
  private final Map<Launch, Long> foretoldSince = new HashMap<>();

  /** Where there was no room, and until which plan nothing more is brought. */
  private final Map<Destination, Long> full = new HashMap<>();

  private long plans;
  private List<PrefetchNeed> waiting = List.of();
  private Map<Waiting, Long> waitingFor = Map.of();
  private List<PrefetchNeed> withoutReplica = List.of();

  /**
   * @param residual number of tasks of a job that are not completed
   * @param steadiness fraction of the time left until a launch for which it must have been foretold
   *     on the same host before anything is brought; 0 is at once
   */
  public PrefetchPlanner(
      Allotments network, ToLongFunction<String> residual, Cardinal.Mode mode, double steadiness) {
    this.residual = residual;
    this.steadiness = steadiness;
    boolean isPreemptive = mode == Cardinal.Mode.PREEMPTIVE;
    desk = new CopyDesk(network, copies, log, isPreemptive);
    rates =
        isPreemptive
            ? new PreemptiveRates(network, desk)
            : new AllottedRates(network, new Cardinal(network, residual, mode), desk);
  }

  /** Takes in a prediction of launches whose needs are all known. */
  @VisibleForTesting
  List<Command> plan(List<PrefetchNeed> needs, long now) {
    return plan(needs, Set.of(), now);
  }

  /**
   * Takes a new prediction in. What it does not tell of is no longer needed.
   *
   * @param needs at most one for each task, block and target
   * @param held launches that are foretold as well, for which nothing begins yet, as while somebody
   *     is asked what their tasks need: that time counts for them, and what has begun for them goes
   *     on
   * @param now nanoseconds of the deadlines' clock, as all others here
   * @return what has to change, in this order
   */
  public List<Command> plan(List<PrefetchNeed> needs, Set<Launch> held, long now) {
    plans++;
    full.values().removeIf(until -> until <= plans);
    desk.forgetOld(now);
    giveUpSilent(now);
    wanted.clear();
    needs.forEach(need -> wanted.put(Place.of(need), need));
    heldLaunches = Set.copyOf(held);
    log.retain(wanted.keySet());
    Set<Launch> foretold = new HashSet<>(held);
    needs.forEach(need -> foretold.add(Launch.of(need)));
    foretoldSince.keySet().retainAll(foretold);
    foretold.forEach(launch -> foretoldSince.putIfAbsent(launch, now));
    List<Command> commands = new ArrayList<>();
    dropUnwanted(now, commands);
    Map<PlannedCopy, Refusal> refused = applyRates(now, commands);
    refused.forEach(log::refused);
    withoutReplica =
        refused.keySet().stream()
            .filter(copy -> refused.get(copy).outcome() == Outcome.NO_REPLICA)
            .map(copy -> copy.need)
            .toList();
    return ImmutableList.copyOf(commands);
  }

  /**
   * Tells daemons whose readers come later than they were told to keep blocks for so long, without
   * any other change. Who cannot be told loses nothing, and is told the next time.
   *
   * @param tell says whether a daemon is told
   */
  public void postpone(Predicate<Command> tell) {
    copies.all().forEach(copy -> desk.postpone(copy, tell));
  }

  /**
   * Flows have ended since the last plan, or their tasks are launched: others may have their rates.
   *
   * @return what has to change, in this order
   */
  public List<Command> pace(long now) {
    List<Command> commands = new ArrayList<>();
    Map<PlannedCopy, Refusal> unused = applyRates(now, commands);
    return ImmutableList.copyOf(commands);
  }

  /** Their daemons have forgotten them, or will be told to. */
  private void giveUpSilent(long now) {
    copies
        .copying()
        .filter(copy -> !copy.isHeardOf(now))
        .toList()
        .forEach(copy -> ended(copy, End.LOST, now));
  }

  private void dropUnwanted(long now, List<Command> commands) {
    Set<Task> expected =
        Stream.concat(
                wanted.keySet().stream().map(Place::task),
                heldLaunches.stream().map(Launch::reader))
            .collect(Collectors.toSet());
    for (PlannedCopy copy : copies.all()) {
      Place place = Place.of(copy.need);
      PrefetchNeed need = wanted.get(place);
      if (need == null && heldLaunches.contains(Launch.of(copy.need))) {
        need = copy.need;
      }
      if (need != null) {
        copy.need = need;
        copy.missing = 0;
        copy.elsewhere = false;
      } else if (copy.state == PlannedCopy.State.COPYING) {
        miss(copy, expected.contains(place.task()), now, commands);
      } else if (copy.isAwaited()) {
        copy.renewLease(now);
      } else if (now - copy.keptUntil() > KEPT && !copy.isBeingRead(now)) {
        desk.forget(copy, now);
      } else if (copy.left && copy.state == PlannedCopy.State.READING) {
        copy.missing++;
        if (copy.missing > PATIENCE) {
          desk.cancel(copy, Outcome.NOT_NEEDED, "its task has ended", now, commands);
        }
      }
    }
  }

  /**
   * @param elsewhere whether its task is expected at another host, and so has no container yet
   */
  private void miss(PlannedCopy copy, boolean elsewhere, long now, List<Command> commands) {
    copy.missing = elsewhere == copy.elsewhere ? copy.missing + 1 : 1;
    copy.elsewhere = elsewhere;
    if (copy.missing > (elsewhere ? rates.patience() : PATIENCE)) {
      String reason = "its task is expected " + (elsewhere ? "elsewhere" : "no more");
      desk.cancel(copy, Outcome.NOT_NEEDED, reason, now, commands);
    }
  }

  private Map<PlannedCopy, Refusal> applyRates(long now, List<Command> commands) {
    List<PlannedCopy> queue = queue();
    Map<PlannedCopy, Waiting> heldBack = new HashMap<>();
    queue.forEach(copy -> holdBack(copy, now).ifPresent(why -> heldBack.put(copy, why)));
    List<PlannedCopy> admitted =
        queue.stream().filter(copy -> !heldBack.containsKey(copy)).toList();
    Map<PlannedCopy, Refusal> refused = rates.apply(admitted, now, commands);
    List<PlannedCopy> left =
        queue.stream()
            .filter(copy -> copy.state == PlannedCopy.State.WAITING && !refused.containsKey(copy))
            .toList();
    waiting = left.stream().map(copy -> copy.need).toList();
    waitingFor =
        left.stream()
            .collect(
                Collectors.groupingBy(
                    copy -> heldBack.getOrDefault(copy, Waiting.TURN), Collectors.counting()));
    return refused;
  }

  private Optional<Waiting> holdBack(PlannedCopy copy, long now) {
    if (copy.state == PlannedCopy.State.COPYING) {
      return Optional.empty();
    }
    if (full.containsKey(Destination.of(copy.need))) {
      return Optional.of(Waiting.ROOM);
    }
    return isFickle(copy, now) ? Optional.of(Waiting.STEADINESS) : Optional.empty();
  }

  /** Its task may be expected elsewhere in the next plan, as most are that are far ahead. */
  private boolean isFickle(PlannedCopy copy, long now) {
    return copy.state == PlannedCopy.State.WAITING
        && now - foretoldSince.get(Launch.of(copy.need)) < steadiness * (copy.need.launch() - now);
  }

  private List<PlannedCopy> queue() {
    Stream<PlannedCopy> begun =
        copies.all().stream()
            .filter(
                copy ->
                    copy.state == PlannedCopy.State.COPYING
                        || (copy.state == PlannedCopy.State.FAILED && mayBegin(copy.need)));
    Stream<PlannedCopy> fresh =
        wanted.entrySet().stream()
            .filter(entry -> copies.at(entry.getKey()) == null && mayBegin(entry.getValue()))
            .map(entry -> new PlannedCopy(entry.getValue()));
    return Stream.concat(begun, fresh)
        .sorted(
            rates
                .order(Comparator.comparingLong(copy -> residual.applyAsLong(copy.need.job())))
                .thenComparing(copy -> copy.need.task()))
        .toList();
  }

  private boolean mayBegin(PrefetchNeed need) {
    return wanted.containsKey(Place.of(need)) && !heldLaunches.contains(Launch.of(need));
  }

  /**
   * How much of a block has come.
   *
   * @param bytes of it, from its beginning
   */
  public void progress(long flow, long bytes, long now) {
    copies.of(flow).ifPresent(copy -> desk.progress(copy, bytes, now));
  }

  /**
   * A task has got its container, and will read a block that nobody brings, or whose source has
   * failed: it is started now, as fast as its reader would fetch it.
   *
   * @return what has to change, in this order
   */
  public List<Command> confirm(PrefetchNeed need, long now) {
    List<Command> commands = new ArrayList<>();
    PlannedCopy known = copies.at(Place.of(need));
    if (known == null || known.state == PlannedCopy.State.FAILED) {
      PlannedCopy copy = known == null ? new PlannedCopy(need) : known;
      boolean wasConfirmed = copy.confirmed;
      copy.need = need;
      copy.confirmed = true;
      copy.launch();
      Optional<PrefetchFlow> flow = rates.source(copy, now);
      if (need.deadline() - now > 0 && flow.isPresent()) {
        desk.startUnpaced(copy, flow.get(), now, commands);
      } else {
        boolean inTime = need.deadline() - now > 0;
        log.decided(copy, inTime ? Outcome.NO_REPLICA : Outcome.TOO_LATE, "");
        // What had come of it counts as before.
        copy.confirmed = wasConfirmed;
      }
    }
    return ImmutableList.copyOf(commands);
  }

  /** A flow needs no rate any more; nothing happens if it is not known. */
  public void ended(long flow, End end, long now) {
    copies.of(flow).ifPresent(copy -> ended(copy, end, now));
  }

  private void ended(PlannedCopy copy, End end, long now) {
    if (end == End.LOST || end == End.NO_ROOM) {
      // Nobody is there to begin it anew before the next plan.
      wanted.remove(Place.of(copy.need));
      desk.forget(copy, now);
      if (end == End.NO_ROOM) {
        full.put(Destination.of(copy.need), plans + PAUSE);
      }
      return;
    }
    copy.arrived = end == End.ARRIVED;
    if (copy.arrived) {
      boolean inTime = copy.need.deadline() - now >= 0;
      log.decided(copy, inTime ? Outcome.DEADLINE_MET : Outcome.DEADLINE_MISSED, "");
    }
    boolean hasFailed = end == End.FAILED;
    if (hasFailed) {
      copy.fail(now);
    }
    desk.end(copy, hasFailed ? PlannedCopy.State.FAILED : PlannedCopy.State.SETTLED, now);
  }

  /** A daemon was not told that a copy goes on from another source: it goes on as before. */
  public void notMoved(Command.Start start, long now) {
    start
        .before()
        .ifPresent(
            before ->
                copies.of(start.flow().id()).ifPresent(copy -> desk.moveBack(copy, before, now)));
  }

  /**
   * What these hosts have failed to give is forgotten: they are gone, and may come back with it.
   */
  public void forgive(Predicate<String> sources) {
    copies.all().forEach(copy -> copy.forgive(sources));
  }

  /** These hosts bring nothing more, and what they had brought is gone. */
  public void lost(Predicate<String> targets, long now) {
    copies.all().stream()
        .filter(copy -> targets.test(copy.need.target()))
        .forEach(copy -> ended(copy, End.LOST, now));
  }

  /**
   * A task has its container. From now on its copies go as fast as their reader would fetch them
   * without us, and are nobody's to take away. Those that have not begun do not any more, and those
   * to other hosts are of no use.
   *
   * @return what has to change
   */
  public List<Command> launched(String job, String task, String target, long now) {
    Task launched = new Task(job, task);
    wanted.keySet().removeIf(place -> place.task().equals(launched));
    List<Command> commands = new ArrayList<>();
    for (PlannedCopy copy : copies.of(launched)) {
      boolean isHere = copy.need.target().equals(target);
      if (isHere) {
        copy.launch();
      }
      if (copy.state != PlannedCopy.State.COPYING) {
        continue;
      }
      if (isHere) {
        desk.read(copy, now, commands);
      } else {
        desk.cancel(copy, Outcome.NOT_NEEDED, "its task is on " + target, now, commands);
      }
    }
    return ImmutableList.copyOf(commands);
  }

  /**
   * A task that has its container has begun to read. What it has not read in the time that a need
   * allows from launch to deadline, or in two minutes, it hardly will.
   */
  public void reads(String job, String task, long now) {
    copies.of(new Task(job, task)).forEach(copy -> copy.beginRead(now));
  }

  /**
   * A task that had its container runs no more. What it reads may just have come whole; if not it
   * is cancelled by one of the next plans.
   */
  public void left(String job, String task) {
    for (PlannedCopy copy : copies.of(new Task(job, task))) {
      copy.left = true;
      copy.missing = 0;
    }
  }

  /** How much of each of a task's blocks has come to this host; none that nobody brings. */
  public List<Share> shares(String job, String task, String target) {
    return copies.of(job, task, target).stream()
        .map(
            copy ->
                new Share(
                    copy.arrived ? copy.need.length() : copy.done,
                    copy.need.length(),
                    copy.confirmed))
        .toList();
  }

  /** Whether a block is brought, or was, to this host for this task. */
  public boolean brings(String job, String task, String block, String target) {
    return copies.at(new Place(new Task(job, task), block, target)) != null;
  }

  /** Where a flow goes that has not ended; empty if there is none. */
  public Optional<String> target(long flow) {
    return need(flow).map(PrefetchNeed::target);
  }

  /** What a flow is for that has not ended; empty if there is none. */
  public Optional<PrefetchNeed> need(long flow) {
    return copies.of(flow).map(copy -> copy.need);
  }

  /**
   * What prefetches have carried over a link, also while tasks read them.
   *
   * @param node at the lower end of the link
   * @param since nanoseconds, not long ago
   * @param until nanoseconds
   * @return bytes per second
   */
  public long carried(String node, Direction direction, long since, long until) {
    return desk.carried(node, direction, since, until);
  }

  /** How flows go that have not ended, also those that tasks read. */
  public List<Progress> progress() {
    return copies
        .begun()
        .map(
            copy ->
                new Progress(
                    copy.flow,
                    copy.told,
                    desk.guaranteed(copy),
                    copy.done,
                    copy.state == PlannedCopy.State.READING))
        .toList();
  }

  /** Flows on their way that no task reads yet. */
  public List<PrefetchFlow> flows() {
    return copies.copying().map(copy -> copy.flow).toList();
  }

  /**
   * Those that wait for their turn, in which they come in this order, until they have been foretold
   * for long enough, or for room.
   */
  public List<PrefetchNeed> waiting() {
    return waiting;
  }

  /** How many of them wait for what. */
  public Map<Waiting, Long> waitingFor() {
    return waitingFor;
  }

  /** Needs of the last plan that no host could give. */
  public List<PrefetchNeed> withoutReplica() {
    return withoutReplica;
  }

  /** The last decisions, the oldest first. */
  public List<Decision> decisions() {
    return log.last();
  }

  /** The same of needs of tasks that had their containers already. */
  public Map<Outcome, Long> confirmedOutcomes() {
    return log.confirmed();
  }

  /** How often each outcome came about of needs that were foretold. */
  public Map<Outcome, Long> outcomes() {
    return log.foretold();
  }
}
