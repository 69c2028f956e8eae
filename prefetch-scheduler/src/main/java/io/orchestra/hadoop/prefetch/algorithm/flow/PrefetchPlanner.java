package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.algorithm.flow.CopyTable.Place;
import io.orchestra.hadoop.prefetch.algorithm.flow.CopyTable.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Turns predictions into prefetches (FlexFetch, section III): each new one needs the rate at which
 * its block is there in time, and CARDINAL says who makes room for it. No block is brought for the
 * same task to the same host twice, and none is dropped under a task that reads it. Not safe for
 * concurrent use.
 */
public final class PrefetchPlanner {
  /**
   * Plans in which a need is missing before its copy is cancelled. A task that has got its
   * container is in no prediction any more, and it takes a report until that is known.
   */
  private static final int PATIENCE = 2;

  /** Nanoseconds after its deadline for which a copy that has arrived is remembered. */
  private static final long KEPT = Duration.ofMinutes(1).toNanos();

  /** Replicas that are tried, one after the other. */
  private static final int MOST_SOURCES = 2;

  /** What became of a need. */
  public enum Outcome {
    /** It is on its way. */
    STARTED,
    /** No link has room, and nobody less critical could make any. */
    REFUSED,
    /** Its task is launched before anything could come. */
    TOO_LATE,
    /** No host that has the block is known to the network. */
    NO_REPLICA,
    /** A more critical one needs its rate. */
    ABANDONED,
    /** Its task is expected elsewhere now, or not any more. */
    NOT_NEEDED
  }

  /** A need, and what became of it. */
  public record Decision(PrefetchNeed need, Outcome outcome) {}

  /** How a copy has ended that was not cancelled. */
  public enum End {
    /** All of the block is there. */
    ARRIVED,
    /** Its source did not give it. */
    FAILED,
    /** Its target does not take it. */
    DECLINED,
    /** Its target is gone, or has forgotten it. */
    LOST
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
   * @param rate that its daemon was told, bytes per second
   * @param bytes that have come
   */
  public record Progress(PrefetchFlow flow, long rate, long bytes) {}

  private final NetworkController network;
  private final Cardinal cardinal;
  private final ToLongFunction<String> residual;
  private final boolean spare;
  private final CopyTable copies = new CopyTable();
  private final DecisionLog log = new DecisionLog();
  private final Pacing pacing;
  private final SourceChoice sources;
  private long lastId;

  /**
   * @param residual number of tasks of a job that are not completed
   * @param spare whether all that links have for prefetches goes to the next deadline first, to
   *     those that were allotted no rate too: what comes early frees its link for others, and a
   *     part of a block is of use. Allotted rates then bind only where a driver enforces them
   */
  public PrefetchPlanner(
      NetworkController network,
      ToLongFunction<String> residual,
      Cardinal.Mode mode,
      boolean spare) {
    this.network = network;
    this.residual = residual;
    this.spare = spare;
    cardinal = new Cardinal(network, residual, mode);
    pacing = new Pacing(network, copies, residual, spare);
    sources = new SourceChoice(network, copies);
  }

  /**
   * Takes a new prediction in. What it does not tell of is no longer needed.
   *
   * @param needs at most one for each task and target
   * @param now nanoseconds of the deadlines' clock
   * @return what has to change, in this order
   */
  public List<Command> plan(List<PrefetchNeed> needs, long now) {
    Map<Place, PrefetchNeed> wanted = new LinkedHashMap<>();
    needs.forEach(need -> wanted.put(Place.of(need), need));
    List<Command> commands = new ArrayList<>();
    dropUnwanted(wanted, now, commands);
    for (PrefetchNeed need : byCriticality(wanted)) {
      PlannedCopy copy = copies.at(Place.of(need));
      if (copy == null) {
        start(new PlannedCopy(need), now, commands);
        continue;
      }
      copy.need = need;
      copy.missing = 0;
      switch (copy.state) {
        case COPYING -> adjust(copy, now, commands);
        case FAILED -> start(copy, now, commands);
        case SETTLED -> {}
      }
    }
    pace(now, commands);
    return ImmutableList.copyOf(commands);
  }

  private void dropUnwanted(Map<Place, PrefetchNeed> wanted, long now, List<Command> commands) {
    Set<Task> waiting = wanted.keySet().stream().map(Place::task).collect(Collectors.toSet());
    for (Place place : copies.places()) {
      PlannedCopy copy = copies.at(place);
      if (wanted.containsKey(place)) {
        continue;
      }
      if (copy.state == PlannedCopy.State.COPYING && !copy.launched) {
        copy.missing++;
        // A task that is expected elsewhere has no container yet.
        if (waiting.contains(place.task()) || copy.missing > PATIENCE) {
          cancel(place, Outcome.NOT_NEEDED, commands);
        }
      } else if (now - copy.need.deadline() > KEPT) {
        if (copy.state == PlannedCopy.State.COPYING) {
          cancel(place, Outcome.NOT_NEEDED, commands);
        } else {
          forget(place);
        }
      }
    }
  }

  /** The most critical first, so that nobody is started only to be abandoned. */
  private List<PrefetchNeed> byCriticality(Map<Place, PrefetchNeed> wanted) {
    return wanted.values().stream()
        .sorted(
            Comparator.<PrefetchNeed>comparingLong(need -> residual.applyAsLong(need.job()))
                .thenComparingLong(PrefetchNeed::deadline)
                .thenComparing(PrefetchNeed::task))
        .toList();
  }

  private void start(PlannedCopy copy, long now, List<Command> commands) {
    OptionalLong rate = RequiredRate.of(copy.need.length(), now, copy.need.deadline());
    Optional<PrefetchFlow> flow = sources.choose(++lastId, copy.need, copy.failedSources);
    if (rate.isEmpty()) {
      log.decided(copy, Outcome.TOO_LATE);
    } else if (flow.isEmpty()) {
      log.decided(copy, Outcome.NO_REPLICA);
    } else {
      admit(flow.get(), copy, rate.getAsLong(), commands);
    }
  }

  /** To a task that has its container already, a part of its block is of use too. */
  private void admit(PrefetchFlow flow, PlannedCopy copy, long required, List<Command> commands) {
    boolean fits = makeRoom(flow, required, commands);
    long rate = fits ? required : copy.launched ? room(flow) : 0;
    if (rate <= 0 && !spare) {
      log.decided(copy, Outcome.REFUSED);
      return;
    }
    if (rate > 0) {
      network.allot(flow, rate);
    }
    copies.begin(copy, flow, network.path(flow));
  }

  private void pace(long now, List<Command> commands) {
    int before = commands.size();
    for (PlannedCopy refused : pacing.pace(now, commands)) {
      boolean late = refused.need.deadline() - now <= 0;
      log.decided(refused, late ? Outcome.TOO_LATE : Outcome.REFUSED);
      forget(Place.of(refused.need));
    }
    for (Command command : commands.subList(before, commands.size())) {
      if (command instanceof Command.Start) {
        copies.of(command.flow().id()).ifPresent(started -> log.decided(started, Outcome.STARTED));
      }
    }
  }

  private boolean makeRoom(PrefetchFlow flow, long rate, List<Command> commands) {
    Cardinal.Decision decision = cardinal.decide(flow, rate);
    for (PrefetchFlow victim : decision.victims()) {
      copies.of(victim.id()).ifPresent(copy -> abandon(copy, commands));
    }
    return decision.admitted();
  }

  /** With what is to spare it may go on; else it would stand still. */
  private void abandon(PlannedCopy copy, List<Command> commands) {
    if (spare) {
      log.decided(copy, Outcome.ABANDONED);
      network.abandon(copy.flow);
    } else {
      cancel(Place.of(copy.need), Outcome.ABANDONED, commands);
    }
  }

  private long room(PrefetchFlow flow) {
    return network.path(flow).stream().mapToLong(network::capacity).min().orElse(Long.MAX_VALUE);
  }

  /**
   * A deadline has moved, or the copy is ahead or behind: what is left is spread over the time.
   * Past the deadline it goes on as it is, and takes from nobody what is lost already.
   */
  private void adjust(PlannedCopy copy, long now, List<Command> commands) {
    OptionalLong required = RequiredRate.of(copy.remaining(), now, copy.need.deadline());
    if (required.isEmpty()) {
      return;
    }
    long current = network.rate(copy.flow);
    long rate = required.getAsLong();
    if (rate > current && !makeRoom(copy.flow, rate - current, commands)) {
      rate = mostOnPath(copy.flow, current, spare ? current : rate);
    }
    if (rate != current && rate > 0) {
      network.allot(copy.flow, rate);
    }
  }

  private long mostOnPath(PrefetchFlow flow, long current, long wished) {
    return network.path(flow).stream()
        .mapToLong(link -> network.capacity(link) + current)
        .reduce(wished, Math::min);
  }

  /**
   * How much of a block has come.
   *
   * @param bytes of it, from its beginning
   */
  public void progress(long flow, long bytes) {
    copies.of(flow).ifPresent(copy -> copies.progress(copy, bytes));
  }

  /**
   * A task has got its container, and will read a block that nobody brings: it is started now, and
   * given up only for a more critical one.
   *
   * @return what has to change, in this order
   */
  public List<Command> confirm(PrefetchNeed need, long now) {
    List<Command> commands = new ArrayList<>();
    if (copies.at(Place.of(need)) == null) {
      PlannedCopy copy = new PlannedCopy(need);
      copy.launched = true;
      copy.confirmed = true;
      start(copy, now, commands);
      pace(now, commands);
    }
    return ImmutableList.copyOf(commands);
  }

  /** A flow needs no rate any more; nothing happens if it is not known. */
  public void ended(long flow, End end) {
    copies.of(flow).ifPresent(copy -> ended(copy, end));
  }

  private void ended(PlannedCopy copy, End end) {
    if (end == End.LOST) {
      forget(Place.of(copy.need));
      return;
    }
    network.abandon(copy.flow);
    copy.arrived = end == End.ARRIVED;
    if (end == End.FAILED) {
      copy.failedSources.add(copy.flow.source());
    }
    copies.end(
        copy,
        end == End.FAILED && copy.failedSources.size() < MOST_SOURCES
            ? PlannedCopy.State.FAILED
            : PlannedCopy.State.SETTLED);
  }

  /**
   * A task has its container. From now on its copies go as fast as their reader would fetch them
   * without us, and are nobody's to take away. Those that have not begun do not any more.
   *
   * @return what has to change
   */
  public List<Command> launched(String job, String task, String target) {
    List<Command> commands = new ArrayList<>();
    for (PlannedCopy copy : copies.of(job, task, target)) {
      if (copy.state != PlannedCopy.State.COPYING) {
        continue;
      }
      if (copy.isStarted()) {
        network.abandon(copy.flow);
        copies.read(copy);
        commands.add(new Command.Pace(copy.flow, Command.UNPACED));
      } else {
        log.decided(copy, Outcome.TOO_LATE);
        forget(Place.of(copy.need));
      }
    }
    return ImmutableList.copyOf(commands);
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
    return copies.of(flow).map(copy -> copy.need.target());
  }

  /** Nobody has been told of one that waits for its turn. */
  private void cancel(Place place, Outcome why, List<Command> commands) {
    PlannedCopy copy = copies.at(place);
    log.decided(copy, why);
    boolean started = copy.isStarted();
    PrefetchFlow flow = forget(place);
    if (started) {
      commands.add(new Command.Cancel(flow));
    }
  }

  private PrefetchFlow forget(Place place) {
    PrefetchFlow flow = copies.remove(place).flow;
    network.abandon(flow);
    return flow;
  }

  /** What the flows on a link were told that others do not see: bytes per second of all of them. */
  public long told(Link link) {
    return copies.told(link);
  }

  /** Flows on their way. */
  public List<Progress> progress() {
    return copies
        .copying()
        .filter(PlannedCopy::isStarted)
        .map(copy -> new Progress(copy.flow, copy.told, copy.done))
        .toList();
  }

  /** Flows on their way, and those that wait for their turn. */
  public List<PrefetchFlow> flows() {
    return copies.copying().map(copy -> copy.flow).toList();
  }

  /** The last decisions, the oldest first. */
  public List<Decision> decisions() {
    return log.last();
  }

  /** The same of needs of tasks that had their containers already. */
  public Multiset<Outcome> confirmedOutcomes() {
    return log.confirmed();
  }

  /** How often each outcome came about of needs that were foretold. */
  public Multiset<Outcome> outcomes() {
    return log.foretold();
  }
}
