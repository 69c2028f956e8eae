package io.orchestra.hadoop.prefetch.algorithm.flow;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What the planner knows of one block for one task. Belongs to it alone. */
final class PlannedCopy {
  enum State {
    /** Nobody has been told of it. */
    WAITING,
    /** Has a flow with a rate. */
    COPYING,
    /** Its task reads it: its flow goes as fast as it can. */
    READING,
    /** Its source has not given it: another one is to be tried, or the same after a while. */
    FAILED,
    /** The block is there, or its target does not take it: there is nothing to do. */
    SETTLED
  }

  /**
   * Nanoseconds for which a source that has failed is not asked again. A DataNode that was stopped
   * is mostly back by then, and the job has been asked again where replicas are; and a block that
   * nobody can read costs links a few tries before its map reads it.
   */
  private static final long FAILURE_PAUSE = Duration.ofSeconds(30).toNanos();

  /** So many sources may fail in that time: each may have been read to the end of the block. */
  private static final int MOST_FAILURES = 2;

  /** In less time a rate is known too badly. */
  private static final long LEAST_TIME = Duration.ofSeconds(1).toNanos();

  /** After which nothing has come, however slowly it was to. */
  private static final long LONGEST_TIME = Duration.ofSeconds(10).toNanos();

  /**
   * Daemons tell each second or more often of what comes: who is silent may have ended long ago.
   */
  private static final long SILENCE = Duration.ofSeconds(5).toNanos();

  /** Daemons keep a block for longer than that after its time. */
  private static final long LEAST_DELAY = Duration.ofMillis(500).toNanos();

  /** A tenth: smaller changes of a rate are not worth a message. */
  private static final int LEAST_CHANGE = 10;

  /** It takes a moment until a flow has its share of a link, and others have made room. */
  private static final long LEAST_STAY = Duration.ofSeconds(3).toNanos();

  /**
   * A host is told to keep a block for so long at a time whose task has its container and has not
   * begun to read. That may take minutes: its host may have to fetch files for it first. It is
   * renewed when half of it is over, so a plan may be late.
   */
  private static final long LEASE = Duration.ofMinutes(2).toNanos();

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long UNKNOWN = -1;

  /** When each source has failed last, nanoseconds. */
  private final Map<String, Long> failures = new HashMap<>();

  /** From which it has gone elsewhere: it does not come back. */
  final Set<String> leftSources = new HashSet<>();

  State state = State.WAITING;

  /** Null while it waits. */
  PrefetchFlow flow;

  PrefetchNeed need;
  long done;

  /** Plans in a row in which nobody needed it, or since its task has ended. */
  int missing;

  /** Its task, which had its container, runs no more. */
  boolean left;

  /** Its task is expected at another host now. */
  boolean elsewhere;

  boolean arrived;
  boolean confirmed;

  /** What its daemon was told, bytes per second. */
  long told;

  private boolean launched;

  /** Whether its task has begun to read, this block or another. */
  private boolean taskReads;

  /** Nanoseconds; known once it is launched. */
  private long leasedUntil;

  private long toldDeadline;
  private long measured = UNKNOWN;
  private long measuredFrom;
  private long bytesThen = UNKNOWN;
  private long heardAt;
  private long flowSince;

  PlannedCopy(PrefetchNeed need) {
    this.need = need;
  }

  void begin(PrefetchFlow begun, long now) {
    flow = begun;
    state = State.COPYING;
    done = 0;
    flowSince = now;
    measured = UNKNOWN;
    heardAt = now;
    tellDeadline(need.deadline());
    tell(0);
  }

  /** It goes on from another source. */
  void move(PrefetchFlow other, long now) {
    flow = other;
    flowSince = now;
    measured = UNKNOWN;
    bytesThen = UNKNOWN;
    heardAt = now;
  }

  /** Its source has not given it. */
  void fail(long now) {
    failures.put(flow.source(), now);
  }

  /** These sources are as if they had never failed. */
  void forgive(Predicate<String> sources) {
    failures.keySet().removeIf(sources);
    leftSources.removeIf(sources);
  }

  /**
   * Of the sources that are there, those that may be asked: who has failed comes after all others,
   * and not soon. A task that has its container cannot wait until fewer have failed of late.
   */
  List<String> askable(List<String> sources, long now) {
    long failed = failures.keySet().stream().filter(source -> hasJustFailed(source, now)).count();
    if (failed >= MOST_FAILURES && !confirmed) {
      return List.of();
    }
    List<String> untried =
        sources.stream().filter(source -> !failures.containsKey(source)).toList();
    return untried.isEmpty()
        ? sources.stream().filter(source -> !hasJustFailed(source, now)).toList()
        : untried;
  }

  private boolean hasJustFailed(String source, long now) {
    Long failedAt = failures.get(source);
    return failedAt != null && now - failedAt <= FAILURE_PAUSE;
  }

  /** Whether its source has had time to show what it gives. */
  boolean isSettled(long now) {
    return now - flowSince >= LEAST_STAY;
  }

  /** Its task has its container, on this host. */
  void launch() {
    launched = true;
    leasedUntil = need.deadline();
  }

  /** Its task has begun to read: this block is read within the time that the need allows. */
  void beginRead(long now) {
    if (launched && !taskReads) {
      taskReads = true;
      leasedUntil = now + Math.max(LEASE, need.deadline() - need.launch());
    }
  }

  /** Whether its task reads and it should have come whole. */
  boolean isOverdue(long now) {
    return taskReads && need.deadline() - now <= 0;
  }

  /** Whether it comes for a task that has its container, and its daemon tells of that. */
  boolean isBeingRead(long now) {
    return state == State.READING && isHeardOf(now);
  }

  /** Whether its task has its container, and may begin to read at any time from now on. */
  boolean isAwaited() {
    return launched && !taskReads && !left && (arrived || state == State.READING);
  }

  void renewLease(long now) {
    if (leasedUntil - now < LEASE / 2) {
      leasedUntil = now + LEASE;
    }
  }

  /** Until when its host is to keep it, nanoseconds. */
  long keptUntil() {
    boolean isLeased = launched && leasedUntil - need.deadline() > 0;
    return isLeased ? leasedUntil : need.deadline();
  }

  /** Its daemon is told until when it has to keep the block, nanoseconds. */
  void tellDeadline(long deadline) {
    toldDeadline = deadline;
  }

  /** Whether its daemon would let go of it too soon, or of what has come of it. */
  boolean isPostponed() {
    boolean isKept = arrived || state == State.COPYING || state == State.READING;
    return isKept && keptUntil() - toldDeadline >= LEAST_DELAY;
  }

  void tell(long rate) {
    measureAnew();
    told = rate;
  }

  /** Whether another rate is worth telling its daemon. */
  boolean isNews(long rate) {
    return isNews(rate, told);
  }

  /** Whether a rate is worth telling after another one. */
  static boolean isNews(long rate, long before) {
    return Math.abs(rate - before) > before / LEAST_CHANGE;
  }

  /**
   * Its task reads it: what its daemon was told counts no more.
   *
   * @param rate that it is taken to have until that is measured
   */
  void read(long rate, long now) {
    measureAnew();
    told = rate;
    state = State.READING;
    heardAt = now;
  }

  /** Whether its daemon has told of it lately. */
  boolean isHeardOf(long now) {
    return now - heardAt <= SILENCE;
  }

  /** What is held up at one rate is held up at any. */
  private void measureAnew() {
    if (use(told) == told) {
      measured = UNKNOWN;
    }
    bytesThen = UNKNOWN;
  }

  /**
   * @param bytes that have come
   * @param now nanoseconds
   */
  void progress(long bytes, long now) {
    heardAt = now;
    long before = done;
    done = Math.max(done, Math.min(bytes, need.length()));
    long time = done > before ? LEAST_TIME : standingTime();
    if (bytesThen == UNKNOWN) {
      measuredFrom = now;
      bytesThen = done;
    } else if (now - measuredFrom >= time) {
      measured = (long) ((double) (done - bytesThen) * SECOND / (now - measuredFrom));
      measuredFrom = now;
      bytesThen = done;
    }
  }

  /**
   * Nanoseconds in which two pieces would come at the rate that its daemon was told: with none it
   * stands still. A slow one is not measured between two of them, when it would seem to.
   */
  private long standingTime() {
    double needed =
        2.0 * SECOND * Math.min(PrefetchFlow.PIECE_LENGTH, need.length()) / Math.max(1, told);
    return (long) Math.min(LONGEST_TIME, Math.max(LEAST_TIME, needed));
  }

  /** At which rate it comes: as its daemon was told, or less if that has been measured. */
  long rate() {
    if (measured == UNKNOWN) {
      return told;
    }
    return state == State.READING ? measured : Math.min(told, measured);
  }

  /**
   * How much it would take of a rate: others need not wait for one that is held up elsewhere, at
   * its source or at a link that nobody measures. One that has come whole is not held up; only its
   * end is not known yet.
   */
  long use(long rate) {
    if (measured == UNKNOWN || remaining() == 0) {
      return rate;
    }
    long most = Math.min(rate, measured + measured / 2 + 1);
    // What is not paced comes, whatever others are said to leave to it.
    return state == State.READING ? Math.max(measured, most) : most;
  }

  /**
   * What it would get of a rate from its source; the whole of it where nothing is known, as of one
   * that stands still.
   */
  long reach(long rate) {
    boolean isHeldUp = state == State.READING ? measured != UNKNOWN : use(told) < told;
    return isHeldUp ? Math.min(rate, measured) : rate;
  }

  /** Bytes that have not come. */
  long remaining() {
    return Math.max(0, need.length() - done);
  }
}
