package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
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

/**
 * The blocks that this host brings, and those that have come and wait for their readers. Flows are
 * the coordinator's names for them: two may want the same block, and a coordinator that starts anew
 * has other names for those that its predecessor wanted. Safe for concurrent use.
 */
final class Prefetches implements Closeable {
  private static final int MOST_COPIES = 16;
  private static final int MOST_BLOCKS = 256;

  private record Copy(Prefetch prefetch, Future<?> running, long expiry) {
    private Copy until(long later) {
      return new Copy(prefetch, running, later);
    }
  }

  private final Prefetch.Host host;
  private final PrefetchMetrics metrics;
  private final Duration keep;
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
  private final Map<Long, BlockKey> flows = new LinkedHashMap<>();
  private final Map<BlockKey, Copy> copies = new HashMap<>();
  private final Map<Long, FlowProto> refused = new LinkedHashMap<>();

  /**
   * @param keep time after its deadline that a block waits for its reader
   * @param changed called whenever a copy ends
   */
  Prefetches(Prefetch.Host host, PrefetchMetrics metrics, Duration keep, Runnable changed) {
    this.host = host;
    this.metrics = metrics;
    this.keep = keep;
    this.changed = changed;
  }

  /** Does what the coordinator says. What concerns a flow that is not known is of the past. */
  void obey(CommandProto command) {
    if (command.hasStart()) {
      start(command.getStart());
    } else if (command.hasPace()) {
      pace(command.getPace().getFlow(), command.getPace().getRate());
    } else if (command.hasCancel()) {
      cancel(command.getCancel().getFlow());
    }
  }

  private synchronized void start(StartProto order) {
    BlockKey block = Prefetch.key(order.getBlock());
    Copy known = copies.get(block);
    State state = known == null ? State.NO_ROOM : known.prefetch().state();
    if (state == State.COPYING || state == State.ARRIVED) {
      known.prefetch().pace(order.getRate());
      flows.put(order.getFlow(), block);
      copies.put(block, known.until(Math.max(known.expiry(), expiry(order))));
    } else if (copies.size() >= MOST_BLOCKS || !begin(block, order)) {
      refused.put(order.getFlow(), state(order.getFlow(), State.NO_ROOM, 0, "too many copies"));
    }
  }

  private boolean begin(BlockKey block, StartProto order) {
    Prefetch prefetch = new Prefetch(order, host);
    try {
      copies.put(block, new Copy(prefetch, threads.submit(() -> run(prefetch)), expiry(order)));
    } catch (RejectedExecutionException e) {
      // So many are on their way.
      return false;
    }
    flows.put(order.getFlow(), block);
    metrics.started();
    return true;
  }

  private long expiry(StartProto order) {
    return System.nanoTime()
        + TimeUnit.MILLISECONDS.toNanos(order.getMillisToDeadline())
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

  private synchronized void pace(long flow, long rate) {
    Copy copy = copies.get(flows.get(flow));
    if (copy != null) {
      copy.prefetch().pace(rate);
    }
  }

  /** What is whole stays for its time: it may be of use after all. */
  private synchronized void cancel(long flow) {
    BlockKey block = flows.remove(flow);
    Copy copy = copies.get(block);
    if (copy != null && copy.prefetch().state() == State.COPYING && !flows.containsValue(block)) {
      metrics.cancelled();
      copy.running().cancel(true);
      release(block);
    }
  }

  /** How all flows are doing. */
  synchronized List<FlowProto> states() {
    ImmutableList.Builder<FlowProto> states = ImmutableList.builder();
    states.addAll(refused.values());
    flows.forEach(
        (flow, block) -> {
          Prefetch prefetch = copies.get(block).prefetch();
          // The state first: bytes never come after the end.
          State state = prefetch.state();
          states.add(state(flow, state, prefetch.bytes(), prefetch.reason()));
        });
    return states.build();
  }

  private static FlowProto state(long flow, State state, long bytes, String reason) {
    return FlowProto.newBuilder()
        .setFlow(flow)
        .setState(state)
        .setBytes(bytes)
        .setReason(reason.substring(0, Math.min(200, reason.length())))
        .build();
  }

  /** The coordinator knows these: flows that have ended are not told again. */
  synchronized void told(List<FlowProto> states) {
    for (FlowProto flow : states) {
      if (flow.getState() != State.COPYING) {
        refused.remove(flow.getFlow());
        BlockKey block = flows.remove(flow.getFlow());
        if (block != null && flow.getState() != State.ARRIVED && !flows.containsValue(block)) {
          release(block);
        }
      }
    }
  }

  /** Another coordinator has other flows. What it wants as well goes on as if it had begun it. */
  synchronized void startAnew() {
    flows.clear();
    refused.clear();
  }

  /** Lets go of blocks that have been read, or whose time is over. */
  synchronized void tick() {
    long now = System.nanoTime();
    for (Map.Entry<BlockKey, Copy> each : List.copyOf(copies.entrySet())) {
      Copy copy = each.getValue();
      if (now - copy.expiry() > 0) {
        if (copy.prefetch().state() == State.COPYING) {
          metrics.cancelled();
          copy.running().cancel(true);
        }
        release(each.getKey());
      } else if (!flows.containsValue(each.getKey()) && isDone(copy.prefetch())) {
        release(each.getKey());
      }
    }
  }

  private static boolean isDone(Prefetch prefetch) {
    return switch (prefetch.state()) {
      case COPYING -> false;
      case ARRIVED -> prefetch.used() >= prefetch.order().getBlock().getLength();
      case FAILED, FORBIDDEN, HERE, NO_ROOM -> true;
    };
  }

  // INVARIANT: a flow has a copy.
  private void release(BlockKey block) {
    flows.values().removeIf(block::equals);
    Prefetch prefetch = copies.remove(block).prefetch();
    metrics.released(prefetch.bytes(), prefetch.used());
    prefetch.close();
  }

  @Override
  public synchronized void close() {
    threads.shutdownNow();
    List.copyOf(copies.keySet()).forEach(this::release);
  }
}
