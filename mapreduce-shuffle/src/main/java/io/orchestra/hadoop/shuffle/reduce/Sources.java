package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.algorithm.Demand;
import io.orchestra.hadoop.shuffle.algorithm.Lanes;
import io.orchestra.hadoop.shuffle.algorithm.Part;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;

/**
 * Where the map outputs of one reducer are, what they measure, and which of them comes next. Safe
 * for concurrent use.
 */
public final class Sources {
  /** No change is missed for longer, whoever forgets to tell of it. */
  private static final long LOOK_MILLIS = 1000;

  /** Within which the end of a penalty is seen. */
  private static final long PARDON_MILLIS = 100;

  /**
   * How long nothing that needs memory is asked for after a request that got none, unless an output
   * comes.
   */
  private static final long PAUSE_MILLIS = 100;

  /** Is told of outputs that are new, and asks their hosts for sizes. */
  interface Newcomers {
    void found(String host, String baseUrl, TaskAttemptID output);
  }

  /** The sizes of a map output. */
  record Size(Share share, long rawLength) {
    static Size of(OutputSize told) {
      return new Size(new Share(told.partLength(), told.totalLength()), told.rawLength());
    }
  }

  private final Newcomers newcomers;
  private final LongSupplier clock;

  // Guarded by this.
  private final Lanes<String, TaskAttemptID> lanes;
  private final Map<String, MapHost> hosts = new HashMap<>();
  private final Set<String> penalised = new HashSet<>();
  private final Set<TaskAttemptID> obsolete = new HashSet<>();
  private final BitSet done = new BitSet();

  private final Arrivals arrivals;
  private final Map<String, FailureRound> failures = new HashMap<>();
  private final Map<TaskAttemptID, Size> sizes = new HashMap<>();
  private long pausedUntil;
  private long stoppedUntil;

  /**
   * @param sizeWait for which an output waits at most until its size is known
   * @param clock milliseconds
   */
  Sources(
      Lanes<String, TaskAttemptID> lanes,
      Newcomers newcomers,
      Duration sizeWait,
      LongSupplier clock) {
    this.lanes = lanes;
    this.newcomers = newcomers;
    this.arrivals = new Arrivals(sizeWait.toMillis());
    this.clock = clock;
    pausedUntil = clock.getAsLong();
    stoppedUntil = pausedUntil;
  }

  /**
   * A map has finished: its output may be fetched once its size is known, or will not be, or has
   * not become known for a while.
   */
  public void finished(String host, String baseUrl, TaskAttemptID output) {
    synchronized (this) {
      hosts.computeIfAbsent(host, name -> waiting(name, baseUrl, output));
      arrivals.add(output, host, clock.getAsLong());
    }
    newcomers.found(host, baseUrl, output);
  }

  /** Hadoop tells only of hosts with something to fetch that their penalty is over. */
  private static MapHost waiting(String name, String baseUrl, TaskAttemptID output) {
    MapHost host = new MapHost(name, baseUrl);
    host.addKnownMap(output);
    return host;
  }

  /**
   * An output may be fetched. Its size may be told later, too: also of what has been fetched, it
   * says how much its sender has for all.
   *
   * @param size empty if its host does not tell
   */
  synchronized void ready(String host, TaskAttemptID output, Optional<Size> size) {
    arrivals.settled(output);
    if (isNeeded(output)) {
      lanes.add(host, output);
    }
    if (size.isPresent() && !obsolete.contains(output)) {
      sizes.putIfAbsent(output, size.get());
      lanes.measure(output, size.get().share(), size.get().rawLength());
    }
    notifyAll();
  }

  /**
   * What a host has told of its outputs at once.
   *
   * @param sizes empty for an output whose size it does not tell
   */
  synchronized void ready(String host, Map<TaskAttemptID, Optional<Size>> sizes) {
    sizes.forEach((output, size) -> ready(host, output, size));
  }

  /** Waits until there is something that a lane may fetch. */
  public synchronized LaneHost next() throws InterruptedException {
    while (true) {
      Optional<LaneHost> next = poll();
      if (next.isPresent()) {
        return next.get();
      }
      wait(untilLook());
    }
  }

  /** What a lane may fetch now. */
  synchronized Optional<LaneHost> poll() {
    admit();
    pardon();
    if (stoppedUntil > clock.getAsLong()) {
      return Optional.empty();
    }
    boolean room = !isShortOfMemory();
    return (arrivals.haveBegun() ? lanes.next(room) : lanes.nextAtFirst(room))
        .map(chunk -> new LaneHost(chunk, url(chunk.host()), room, failures.get(chunk.host())));
  }

  private String url(String host) {
    String url = hosts.get(host).getBaseUrl();
    return lanes.areStocks() || !lanes.isMoreAt(host) ? url : LaneHost.kept(url);
  }

  /** Whether there was no memory for an output a moment ago. */
  synchronized boolean isShortOfMemory() {
    return pausedUntil > clock.getAsLong();
  }

  private long untilLook() {
    long now = clock.getAsLong();
    long look = penalised.isEmpty() ? LOOK_MILLIS : PARDON_MILLIS;
    for (long until : new long[] {pausedUntil, stoppedUntil}) {
      if (until > now) {
        look = Math.min(look, until - now);
      }
    }
    return Math.max(1, arrivals.untilOverdue(now, look));
  }

  /** Waits no longer for sizes that nobody has told, whatever has become of who asks for them. */
  private void admit() {
    for (Arrivals.Arrival overdue : arrivals.overdue(clock.getAsLong())) {
      if (isNeeded(overdue.output())) {
        lanes.add(overdue.host(), overdue.output());
      }
    }
  }

  /** Hadoop ends penalties by itself, and changes the host's state. */
  private void pardon() {
    penalised.removeIf(
        name -> {
          boolean over = !isPenalised(hosts.get(name));
          if (over) {
            lanes.pardon(name);
          }
          return over;
        });
  }

  private static boolean isPenalised(MapHost host) {
    // It changes under this lock, and is read without one (MapHost.getState).
    synchronized (host) {
      return host.getState() == MapHost.State.PENALIZED;
    }
  }

  /**
   * A lane has done what it could. If it brought nothing and its host is not to blame, there is no
   * room in memory: others would fare alike. If even what should have needed none got none, all
   * wait.
   */
  public synchronized void free(LaneHost host) {
    if (host.isFruitless() && !penalised.contains(host.getHostName())) {
      pausedUntil = clock.getAsLong() + PAUSE_MILLIS;
      stoppedUntil = host.hadRoom() ? stoppedUntil : pausedUntil;
    }
    lanes.free(
        host.chunk(), host.missing().stream().filter(part -> isNeeded(part.output())).toList());
    host.range().map(Part::output).filter(output -> !isNeeded(output)).ifPresent(lanes::settled);
    notifyAll();
  }

  /**
   * Gives a host no lanes for a while.
   *
   * @return the host as it stands for all of its lanes
   */
  public synchronized MapHost penalise(String host) {
    MapHost penalty = hosts.get(host);
    // Before anybody sees that it is over because it has not begun.
    penalty.penalize();
    penalised.add(host);
    lanes.penalise(host);
    return penalty;
  }

  /** A host gets one lane at most until an output has come from it. */
  public synchronized void suspect(String host) {
    lanes.suspect(host);
  }

  /**
   * A host has broken off while it sent whole outputs, and a lane tries again: the host gets no
   * other until an output has come from it.
   */
  synchronized void brokeOff(String host) {
    lanes.accuse(host);
  }

  /** Whether a host gets no lanes for a while. */
  public synchronized boolean isResting(String host) {
    return penalised.contains(host);
  }

  /**
   * What counts of a lane's failure, so that no more counts than with stock.
   *
   * @param first whether it is a failure of the host that nobody has met
   * @param outputs those that count as not fetched. If a host's service did not answer, stock's one
   *     request would have asked for others as well: they count, too
   */
  public record Blame(boolean first, List<TaskAttemptID> outputs) {}

  /**
   * A lane could not fetch an output.
   *
   * @param readError whether the service had answered
   */
  public synchronized Blame accuse(LaneHost lane, TaskAttemptID output, boolean readError) {
    FailureRound known = failures.get(lane.getHostName());
    if (known != lane.failures()) {
      return new Blame(false, known.counts(lane, readError) ? List.of(output) : List.of());
    }
    int others = readError ? 0 : FailureRound.MOST_OUTPUTS - lane.chunk().parts().size();
    List<TaskAttemptID> waiting =
        lanes.untouched(lane.getHostName(), others).stream().filter(this::isNeeded).toList();
    failures.put(lane.getHostName(), new FailureRound(lane, others - waiting.size()));
    lanes.accuse(lane.getHostName());
    // At once: a lane that began now would meet it as another failure.
    penalise(lane.getHostName());
    return new Blame(true, Stream.concat(Stream.of(output), waiting.stream()).toList());
  }

  /** The output has been fetched; other attempts of the same map are not needed. */
  public synchronized void fetched(TaskAttemptID output) {
    pausedUntil = clock.getAsLong();
    done.set(output.getTaskID().getId());
    lanes.arrived(output);
    notifyAll();
  }

  /** The output is gone; another attempt will take its place. */
  public synchronized void obsolete(TaskAttemptID output) {
    obsolete.add(output);
    lanes.obsolete(output);
    notifyAll();
  }

  /** The map will not be run again. */
  public synchronized void failed(TaskID map) {
    done.set(map.getId());
    notifyAll();
  }

  synchronized boolean isNeeded(TaskAttemptID output) {
    return !obsolete.contains(output) && !done.get(output.getTaskID().getId());
  }

  synchronized Size size(TaskAttemptID output) {
    return sizes.get(output);
  }

  /** There is memory, or a file, for an output that comes in ranges. */
  synchronized void housed(TaskAttemptID output) {
    lanes.housed(output);
    if (isShortOfMemory()) {
      notifyAll();
    }
  }

  /** An output is to be fetched whole, by one lane: as if its size were not known. */
  synchronized void undivide(String host, TaskAttemptID output) {
    if (isNeeded(output)) {
      lanes.obsolete(output);
      lanes.add(host, output);
      notifyAll();
    }
  }

  /**
   * A host that tells sizes and brings no ranges: all is fetched whole from it, by one lane at
   * first. So the next to wait for it is Hadoop's fetcher, which tells the application's master.
   */
  synchronized void standsStill(String host) {
    lanes.undivide(host);
    lanes.suspect(host);
  }

  /** Whether ranges have been given up with a host. */
  synchronized boolean isUndivided(String host) {
    return lanes.isUndivided(host);
  }

  /** How many lanes may be in use now. */
  synchronized int limit() {
    return lanes.limit();
  }

  /** The most lanes that were in use at once. */
  synchronized int mostLanes() {
    return lanes.mostInUse();
  }

  /** What is known of the whole shuffle. */
  synchronized Demand demand() {
    return lanes.demand();
  }

  /** Outputs whose host told their sizes. */
  synchronized int measured() {
    return sizes.size();
  }

  /** How often a lane was told what to fetch. */
  synchronized int requests() {
    return lanes.requests();
  }

  /** How often that followed weights. */
  synchronized int weightedRequests() {
    return lanes.weightedRequests();
  }

  synchronized int hosts() {
    return hosts.size();
  }
}
