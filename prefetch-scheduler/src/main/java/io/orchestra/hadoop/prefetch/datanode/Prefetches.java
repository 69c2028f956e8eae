package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.Closeable;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The blocks that this host brings, and those that have come and wait for their readers. Flows are
 * the coordinator's names for them: two may want the same block, and a coordinator that starts anew
 * has other names for those that its predecessor wanted. A copy is its first flow's user's: others
 * who want it have no say in how long it is kept, and if it fails they may try by themselves. Safe
 * for concurrent use.
 */
final class Prefetches implements Closeable {
  private static final int MOST_COPIES = 32;
  private static final int MOST_BLOCKS = 256;

  /**
   * So many are told of at once, and as many that were refused: a coordinator that wants more is
   * none of ours.
   */
  private static final int MOST_FLOWS = 1000;

  /** Nothing stays for longer after that, whatever its deadline is said to be. */
  private static final long LONGEST_LEAD = TimeUnit.HOURS.toMillis(1);

  /**
   * What the coordinator calls a block for one task.
   *
   * @param rate bytes per second; 0 for as fast as it goes
   * @param user whose task it is
   * @param launched whether it has its container
   * @param own the copy that was begun for it; null if there was one
   */
  private record Flow(BlockKey block, long rate, String user, boolean launched, Prefetch own) {
    private static Flow of(StartProto order, Prefetch own) {
      BlockKey block = Prefetch.key(order.getBlock());
      return new Flow(block, order.getRate(), order.getUser(), order.getLaunched(), own);
    }

    private Flow paced(PaceProto order) {
      return new Flow(block, order.getRate(), user, launched || order.getLaunched(), own);
    }
  }

  /**
   * A block on its way, or one that has come.
   *
   * @param expiry nanoseconds when it has to make room
   * @param latest up to which that can be put off
   */
  private record Copy(Prefetch prefetch, long expiry, long latest) {
    private Copy until(long time) {
      return new Copy(prefetch, time, latest);
    }

    private Copy notBefore(long time) {
      return until(Math.max(expiry, Math.min(time, latest)));
    }

    private boolean isOnItsWay() {
      return prefetch.state() == State.COPYING;
    }

    /** What is on its way to a reader has some more time. */
    private boolean isOver(long now) {
      boolean isRead = isOnItsWay() && prefetch.isBeingRead();
      return now - (isRead ? Math.min(latest, expiry + READING.toNanos()) : expiry) > 0;
    }

    private String user() {
      return prefetch.order().getUser();
    }
  }

  /** How long a copy goes on that the last coordinator began and the next one has not asked for. */
  private static final Duration UNCLAIMED = Duration.ofSeconds(15);

  /** How much longer a copy goes on whose block a reader has open. */
  private static final Duration READING = Duration.ofMinutes(5);

  private final Prefetch.Host host;
  private final PrefetchMetrics metrics;
  private final Duration keep;
  private final LongSupplier clock;
  private final Runnable changed;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST_COPIES,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-prefetch-copy-%d")
              .setDaemon(true)
              .build());

  // Guarded by this.
  private final Map<Long, Flow> flows = new LinkedHashMap<>();

  /** Of flows that are not told any more: their readers may come later than was said. */
  private final Map<Long, Flow> arrived = new LinkedHashMap<>();

  private final Map<BlockKey, Copy> copies = new HashMap<>();
  private final Map<Long, FlowProto> refused = new LinkedHashMap<>();

  /**
   * @param keep time after its deadline that a block waits for its reader
   * @param clock nanoseconds
   * @param changed called whenever a copy ends, or a flow is refused
   */
  Prefetches(
      Prefetch.Host host,
      PrefetchMetrics metrics,
      Duration keep,
      LongSupplier clock,
      Runnable changed) {
    this.host = host;
    this.metrics = metrics;
    this.keep = keep;
    this.clock = clock;
    this.changed = changed;
  }

  /** Does what the coordinator says. What concerns a flow that is not known is of the past. */
  void obey(CommandProto command) {
    if (command.hasStart()) {
      start(command.getStart());
    } else if (command.hasPace()) {
      pace(command.getPace());
    } else if (command.hasCancel()) {
      cancel(command.getCancel().getFlow());
    }
  }

  private synchronized void start(StartProto order) {
    BlockKey block = Prefetch.key(order.getBlock());
    Copy known = copies.get(block);
    State state = known == null ? State.NO_ROOM : known.prefetch().state();
    Flow before = flows.get(order.getBefore());
    if (before != null && before.block().equals(block)) {
      goOn(before, known, order);
    } else if (flows.size() >= MOST_FLOWS) {
      refuse(order.getFlow(), State.NO_ROOM, "too many flows");
    } else if (state == State.COPYING || state == State.ARRIVED) {
      join(block, known, order, false);
    } else if (isTooMuch(order.getUser()) || !begin(block, order)) {
      refuse(order.getFlow(), State.NO_ROOM, "too many copies");
    }
  }

  /**
   * Whoever wants what another one has brought must be allowed to read it as well.
   *
   * @param isAllowed whether that is known already
   */
  private void join(BlockKey block, Copy known, StartProto order, boolean isAllowed) {
    if (!isAllowed && !Prefetch.isAllowed(order, host)) {
      // First: whoever may not read it does not hear that anybody has it.
      refuse(order.getFlow(), State.FORBIDDEN, "the token is not valid");
    } else if (known.prefetch().length() != order.getBlock().getLength()) {
      // Nobody here knows which of the two lengths is true: neither makes the other's copy end.
      refuse(again(order.getFlow(), "another brings more or less of it"));
    } else {
      flows.put(order.getFlow(), Flow.of(order, null));
      if (known.user().equals(order.getUser())) {
        copies.put(block, joined(known, order));
      }
      pace(block);
    }
  }

  /** A flow takes the place of another. What a third one brings goes on from where it does. */
  private void goOn(Flow before, Copy known, StartProto order) {
    Prefetch prefetch = known.prefetch();
    if (hasFailed(prefetch.state())) {
      flows.remove(order.getBefore());
      if (!isWanted(before.block())) {
        release(before.block());
      }
      refuse(again(order.getFlow(), "it has ended"));
      return;
    }
    boolean isOwn = before.own() == null || before.own() == prefetch;
    // By now the token may be too old.
    join(before.block(), known, order, isOwn && before.user().equals(order.getUser()));
    Flow joined = flows.get(order.getFlow());
    if (joined != null) {
      flows.remove(order.getBefore());
      if (before.own() == prefetch && prefetch.reroute(order)) {
        flows.put(order.getFlow(), Flow.of(order, prefetch));
      }
      pace(joined.block());
    }
  }

  /** Another of its user's tasks may put it off anew; from another source it comes for the same. */
  private Copy joined(Copy known, StartProto order) {
    long latest = order.hasBefore() ? known.latest() : expiry(LONGEST_LEAD);
    return new Copy(known.prefetch(), known.expiry(), latest)
        .notBefore(expiry(order.getMillisToDeadline()));
  }

  private void refuse(long flow, State state, String why) {
    metrics.started();
    metrics.ended(state);
    refuse(state(flow, state, 0, why).build());
  }

  /**
   * It may be asked for at once: this says nothing of its token, its sources or its user's room.
   */
  private static FlowProto again(long flow, String why) {
    return state(flow, State.NO_ROOM, 0, why).setExpired(true).build();
  }

  private void refuse(FlowProto flow) {
    if (refused.size() >= MOST_FLOWS) {
      // The coordinator misses it after a while.
      removeFirst(refused);
    }
    refused.put(flow.getFlow(), flow);
    changed.run();
  }

  private static void removeFirst(Map<Long, ?> inOrder) {
    inOrder.remove(inOrder.keySet().iterator().next());
  }

  /** Half of all places are for other users. */
  private boolean isTooMuch(String user) {
    List<Copy> own = copies.values().stream().filter(copy -> copy.user().equals(user)).toList();
    return copies.size() >= MOST_BLOCKS
        || own.size() >= MOST_BLOCKS / 2
        || own.stream().filter(Copy::isOnItsWay).count() >= MOST_COPIES / 2;
  }

  private boolean begin(BlockKey block, StartProto order) {
    Prefetch prefetch = new Prefetch(order, host);
    try {
      Future<?> unused = threads.submit(() -> run(prefetch));
    } catch (RejectedExecutionException e) {
      // So many are on their way.
      return false;
    }
    Copy before =
        copies.put(
            block, new Copy(prefetch, expiry(order.getMillisToDeadline()), expiry(LONGEST_LEAD)));
    if (before != null) {
      account(before.prefetch());
    }
    flows.put(order.getFlow(), Flow.of(order, prefetch));
    metrics.started();
    return true;
  }

  private long expiry(long millisToDeadline) {
    return clock.getAsLong()
        + TimeUnit.MILLISECONDS.toNanos(Longs.constrainToRange(millisToDeadline, 0, LONGEST_LEAD))
        + keep.toNanos();
  }

  private void run(Prefetch prefetch) {
    prefetch.run();
    if (isKnown(prefetch)) {
      metrics.ended(prefetch.state());
      changed.run();
    }
  }

  /** It is not if it was cancelled. */
  private synchronized boolean isKnown(Prefetch prefetch) {
    Copy copy = copies.get(prefetch.block());
    return copy != null && copy.prefetch() == prefetch;
  }

  private synchronized void pace(PaceProto order) {
    Flow known = flows.computeIfPresent(order.getFlow(), (flow, before) -> before.paced(order));
    if (known == null) {
      known = arrived.get(order.getFlow());
    } else {
      pace(known.block());
    }
    if (known != null && order.hasMillisToDeadline()) {
      putOff(known, expiry(order.getMillisToDeadline()));
    }
  }

  /** A copy takes the room of one user: nobody else keeps it there. */
  private void putOff(Flow flow, long time) {
    copies.computeIfPresent(
        flow.block(),
        (block, copy) -> copy.user().equals(flow.user()) ? copy.notBefore(time) : copy);
  }

  /**
   * A block comes at the rate of the flow that needs it most, and for as long as a map may read it
   * that has not begun to.
   */
  private void pace(BlockKey block) {
    List<Flow> wanting =
        flows.values().stream().filter(flow -> flow.block().equals(block)).toList();
    if (!wanting.isEmpty()) {
      long[] rates = wanting.stream().mapToLong(Flow::rate).toArray();
      Prefetch prefetch = copies.get(block).prefetch();
      prefetch.pace(Longs.contains(rates, 0) ? 0 : Longs.max(rates));
      prefetch.launched(wanting.stream().allMatch(Flow::launched));
    }
  }

  @VisibleForTesting
  synchronized long rate(BlockKey block) {
    return copies.get(block).prefetch().rate();
  }

  @VisibleForTesting
  synchronized boolean isLaunched(BlockKey block) {
    return copies.get(block).prefetch().isLaunched();
  }

  private boolean isWanted(BlockKey block) {
    return flows.values().stream().anyMatch(flow -> flow.block().equals(block));
  }

  /** What is whole stays for its time: it may be of use after all. */
  private synchronized void cancel(long flow) {
    Flow cancelled = flows.remove(flow);
    Copy copy = cancelled == null ? null : copies.get(cancelled.block());
    if (copy == null || !copy.isOnItsWay()) {
      return;
    }
    if (isWanted(cancelled.block())) {
      pace(cancelled.block());
    } else {
      metrics.cancelled();
      release(cancelled.block());
    }
  }

  /** How all flows are doing. */
  synchronized List<FlowProto> states() {
    ImmutableList.Builder<FlowProto> states = ImmutableList.builder();
    states.addAll(refused.values());
    flows.forEach(
        (flow, wanted) -> {
          Prefetch prefetch = copies.get(wanted.block()).prefetch();
          // The state first: bytes never come after the end.
          State state = prefetch.state();
          states.add(
              wanted.own() != prefetch && hasFailed(state)
                  ? again(flow, "another has not got it")
                  : state(flow, state, prefetch.bytes(), prefetch.reason()).build());
        });
    return states.build();
  }

  private static boolean hasFailed(State state) {
    return switch (state) {
      case COPYING, ARRIVED, HERE -> false;
      case DECLINED, FAILED, FORBIDDEN, NO_ROOM -> true;
    };
  }

  private static FlowProto.Builder state(long flow, State state, long bytes, String reason) {
    return FlowProto.newBuilder()
        .setFlow(flow)
        .setState(state)
        .setBytes(bytes)
        .setReason(reason.substring(0, Math.min(200, reason.length())));
  }

  /** The coordinator knows these: flows that have ended are not told again. */
  synchronized void told(List<FlowProto> states) {
    for (FlowProto flow : states) {
      if (flow.getState() != State.COPYING) {
        // What came about since then is yet to be told.
        refused.remove(flow.getFlow(), flow);
        Flow ended = flows.remove(flow.getFlow());
        if (ended != null && flow.getState() == State.ARRIVED) {
          remember(flow.getFlow(), ended);
        } else if (ended != null && !isWanted(ended.block())) {
          release(ended.block());
        }
      }
    }
  }

  private void remember(long flow, Flow ended) {
    if (arrived.size() >= MOST_FLOWS) {
      removeFirst(arrived);
    }
    arrived.put(flow, ended);
  }

  /**
   * Another coordinator has other flows. What it wants as well, and says so soon, goes on as if it
   * had begun it.
   */
  synchronized void startAnew() {
    flows.clear();
    arrived.clear();
    refused.clear();
    long now = clock.getAsLong();
    copies.replaceAll(
        (block, copy) ->
            copy.isOnItsWay() && copy.expiry() - now > UNCLAIMED.toNanos()
                ? copy.until(now + UNCLAIMED.toNanos())
                : copy);
  }

  /** Lets go of blocks that have been read, or whose time is over. */
  synchronized void tick() {
    long now = clock.getAsLong();
    for (Map.Entry<BlockKey, Copy> each : List.copyOf(copies.entrySet())) {
      Copy copy = each.getValue();
      if (copy.isOver(now)) {
        expire(each.getKey(), copy);
      } else if (!isWanted(each.getKey()) && isDone(copy.prefetch())) {
        release(each.getKey());
      }
    }
  }

  /** The coordinator, whose predictions have changed since, may want it still. */
  private void expire(BlockKey block, Copy copy) {
    if (copy.isOnItsWay()) {
      metrics.cancelled();
    }
    List<Long> untold =
        flows.keySet().stream().filter(flow -> flows.get(flow).block().equals(block)).toList();
    release(block);
    untold.forEach(flow -> refuse(again(flow, "its time is over")));
  }

  private static boolean isDone(Prefetch prefetch) {
    return switch (prefetch.state()) {
      case COPYING -> false;
      case ARRIVED -> prefetch.isRead();
      case DECLINED, FAILED, FORBIDDEN, HERE, NO_ROOM -> true;
    };
  }

  // INVARIANT: a flow has a copy, also one whose block has come.
  private void release(BlockKey block) {
    flows.values().removeIf(flow -> flow.block().equals(block));
    arrived.values().removeIf(flow -> flow.block().equals(block));
    Prefetch prefetch = copies.remove(block).prefetch();
    prefetch.cancel("nobody wants it");
    account(prefetch);
    prefetch.close();
  }

  private void account(Prefetch prefetch) {
    metrics.released(prefetch.brought(), prefetch.used(), prefetch.order().getConfirmed());
  }

  @Override
  public synchronized void close() {
    threads.shutdown();
    List.copyOf(copies.keySet()).forEach(this::release);
  }
}
