package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The lanes of one reducer: connections that each fetch a chunk, then another, perhaps from another
 * sender. Weighted Shuffle Scheduling (Orchestra, section 6.3) in which no controller sets weights:
 * the number of lanes to a sender follows the bytes that remain there, and a sender's link is
 * shared among lanes by TCP.
 *
 * <p>A reducer whose {@link Gate} is closed chooses as stock does, at random among the senders that
 * no lane fetches from, but few bytes at a time; the lanes that stock would leave idle help with
 * the sender that has most left. One whose gate is open gives a free lane to the sender that is
 * furthest below its part in the {@link Division} of lanes; a sender whose sizes are unknown has
 * one lane at most. A hot sender that cannot use its part makes lanes fewer, down to stock's
 * number. How many lanes there may be follows from sizes whether the gate is open or not: where
 * reducers of both kinds meet, a lane stands for the same number of bytes with all of them.
 *
 * <p>For one thread at a time: callers hold a lock.
 *
 * @param <H> identity of a sender
 * @param <M> identity of a map output: one attempt of a map task
 */
public final class Lanes<H, M> {
  private final int reducers;
  private final LaneLimits limits;
  private final Gate gate;
  private final Random random;
  private final Map<H, Sender<H, M>> senders = new LinkedHashMap<>();

  /** Where each output is, fetched or not. */
  private final Map<M, Sender<H, M>> outputs = new HashMap<>();

  private int requests;
  private int weightedRequests;
  private int inUse;
  private int mostInUse;

  /** Whether sizes have become known, or senders have failed, since what follows was worked out. */
  private boolean stale = true;

  private Demand demand;
  private boolean weighted;
  private int limit;
  private double typicalOutput;
  private Set<Sender<H, M>> hot = Set.of();

  /**
   * @param reducers how many the job has
   * @param random decides among equals
   */
  public Lanes(int reducers, LaneLimits limits, Gate gate, Random random) {
    checkArgument(reducers > 0, "%s reducers", reducers);
    this.reducers = reducers;
    this.limits = limits;
    this.gate = gate;
    this.random = random;
  }

  /** A map output is ready on a sender. Told again, nothing changes. */
  public void add(H host, M output) {
    Sender<H, M> sender = sender(host);
    if (outputs.putIfAbsent(output, sender) == null) {
      sender.add(output);
      stale = true;
    }
  }

  /**
   * The sizes of an output have become known, before or while it is fetched or after.
   *
   * @param rawLength bytes for this reducer, decompressed
   */
  public void measure(M output, Share size, long rawLength) {
    Sender<H, M> sender = outputs.get(output);
    if (sender != null) {
      sender.measure(output, size, rawLength);
      stale = true;
    }
  }

  /** An output is not to be fetched any more; a lane that fetches it may go on or not. */
  public void obsolete(M output) {
    Sender<H, M> sender = outputs.remove(output);
    if (sender != null) {
      sender.forget(output);
      stale = true;
    }
  }

  /**
   * Outputs of a sender of which nothing has been asked for yet.
   *
   * @param most how many of them
   */
  public List<M> untouched(H host, int most) {
    return sender(host).untouched(most);
  }

  /** No more lanes to this sender, until it is {@linkplain #pardon pardoned}. */
  public void penalise(H host) {
    sender(host).penalise(true);
  }

  public void pardon(H host) {
    sender(host).penalise(false);
  }

  /**
   * A sender has failed. It has one lane at most, as with stock, until {@linkplain #arrived
   * something arrives}: more would be held up with it. There are as many lanes in all as with stock
   * at least: others may fail, too, and each holds up a lane.
   */
  public void suspect(H host) {
    sender(host).suspect();
    stale = true;
  }

  /**
   * The same of a sender that has failed to send whole outputs: no others need to tell whether it
   * is back, and they come last, or one that is bad would hold up all of them.
   */
  public void accuse(H host) {
    sender(host).accuse();
    stale = true;
  }

  /** An output has been fetched. */
  public void arrived(M output) {
    Sender<H, M> sender = outputs.get(output);
    if (sender != null) {
      stale |= sender.isSuspect();
      sender.acquit();
      sender.holdings().settle(output);
    }
  }

  /** The first range of an output has got memory, or a file, for all of it. */
  public void housed(M output) {
    Sender<H, M> sender = outputs.get(output);
    if (sender != null) {
      sender.holdings().house(output);
    }
  }

  /** An output of which there were ranges holds no memory any more, though nobody needs it. */
  public void settled(M output) {
    Sender<H, M> sender = outputs.get(output);
    if (sender != null) {
      sender.holdings().settle(output);
    }
  }

  /** Whether anything waits there that no lane fetches. */
  public boolean isMoreAt(H host) {
    return sender(host).hasMore();
  }

  /** All outputs of this sender are to be fetched whole from now on. */
  public void undivide(H host) {
    sender(host).undivide();
  }

  /** Whether {@link #undivide} was said of this sender. */
  public boolean isUndivided(H host) {
    return sender(host).isUndivided();
  }

  /**
   * A lane is free: what it shall fetch.
   *
   * @param room whether there is memory for outputs that have not been begun
   * @return empty if nothing now: as many lanes as there may be are in use, or nothing waits that
   *     may be fetched. To be asked again when something has changed
   */
  public Optional<Chunk<H, M>> next(boolean room) {
    refresh();
    if (inUse >= limit) {
      return Optional.empty();
    }
    return weighted ? byWeight(room) : counted(nextEven(room));
  }

  /**
   * The same while others have yet to tell what they have: little, and of each sender to one lane
   * only, which it has in any case. So whoever tells first is not fetched from as if there were
   * nobody else.
   */
  public Optional<Chunk<H, M>> nextAtFirst(boolean room) {
    refresh();
    // The limit follows from what all have, and that is not known yet.
    return inUse >= Math.max(limit, limits.fetchers())
        ? Optional.empty()
        : counted(nextAtRandom(limits.shortest(), room));
  }

  private Optional<Chunk<H, M>> byWeight(boolean room) {
    Optional<Chunk<H, M>> chunk = counted(nextByWeight(room));
    weightedRequests += chunk.isPresent() ? 1 : 0;
    return chunk;
  }

  private Optional<Chunk<H, M>> counted(Optional<Chunk<H, M>> chunk) {
    if (chunk.isPresent()) {
      requests++;
      mostInUse = Math.max(mostInUse, ++inUse);
    }
    return chunk;
  }

  /**
   * A lane is free again.
   *
   * @param chunk what it was to fetch
   * @param missing what must still be fetched: parts of the chunk, or a whole output of which a
   *     part was in it and which turned out to be bad
   */
  public void free(Chunk<H, M> chunk, Collection<Part<M>> missing) {
    Sender<H, M> sender = sender(chunk.host());
    sender.end(chunk);
    inUse--;
    for (Part<M> part : missing) {
      if (outputs.get(part.output()) == sender) {
        sender.putBack(part);
      }
    }
  }

  /** How many lanes may be in use now. */
  public int limit() {
    refresh();
    return limit;
  }

  /** How many lanes are in use. */
  public int inUse() {
    return inUse;
  }

  /** The most that were in use at once. */
  public int mostInUse() {
    return mostInUse;
  }

  /** What is known of the whole shuffle. */
  public Demand demand() {
    refresh();
    return demand;
  }

  /** Whether lanes follow weights now, not stock's rule. */
  public boolean isWeighted() {
    refresh();
    return weighted;
  }

  /** Whether lanes are stock's fetchers, whatever the sizes. */
  public boolean areStocks() {
    return gate == Gate.NEVER;
  }

  /** How many chunks have been handed out. */
  public int requests() {
    return requests;
  }

  /** How many of them followed weights. */
  public int weightedRequests() {
    return weightedRequests;
  }

  private Sender<H, M> sender(H host) {
    return senders.computeIfAbsent(host, name -> new Sender<>(name, limits));
  }

  private void refresh() {
    if (!stale) {
      return;
    }
    List<Share> loads = new ArrayList<>();
    int measured = 0;
    for (Sender<H, M> sender : senders.values()) {
      if (sender.sizes() > 0) {
        loads.add(sender.load());
        measured += sender.sizes();
      }
    }
    demand = new Demand(loads, reducers);
    weighted = gate.isOpen(demand);
    boolean fewer =
        measured == outputs.size() && senders.values().stream().noneMatch(Sender::isSuspect);
    limit = gate == Gate.NEVER ? limits.fetchers() : limits.lanes(demand, fewer);
    typicalOutput = (double) demand.own() / Math.max(1, measured);
    Predicate<Share> isHot = Gate.isHot(demand);
    hot =
        senders.values().stream()
            .filter(sender -> isHot.test(sender.load()))
            .collect(Collectors.toSet());
    stale = false;
  }

  /**
   * Not a whole sender at once: flows are not equally fast, and what is left of a slow one is for
   * the lanes that have nothing else.
   */
  private Optional<Chunk<H, M>> nextEven(boolean room) {
    Optional<Chunk<H, M>> chunk = nextAtRandom(limits.even(), room);
    // One lane is for who comes next: those that help may all meet a host that falls silent.
    int helping = Math.min(limits.fetchers(), limit - 1);
    return chunk.isPresent() || gate == Gate.NEVER || inUse >= helping
        ? chunk
        : nextOfSlowest(room);
  }

  private Optional<Chunk<H, M>> nextOfSlowest(boolean room) {
    List<Sender<H, M>> busy =
        new ArrayList<>(
            senders.values().stream()
                .filter(
                    sender ->
                        sender.isAvailable(room)
                            && sender.waiting() >= limits.shortest()
                            && sender.lanes() < limits.lanesToOne(reducers))
                .toList());
    // Or all reducers would choose the same one of equals.
    Collections.shuffle(busy, random);
    return busy.stream()
        .max(Comparator.comparingDouble(sender -> sender.remaining(typicalOutput) / sender.lanes()))
        .map(sender -> sender.take(limits.even(), room));
  }

  /**
   * @param most bytes, where there is a gate
   */
  private Optional<Chunk<H, M>> nextAtRandom(long most, boolean room) {
    List<Sender<H, M>> idle =
        senders.values().stream()
            .filter(sender -> sender.isIdle() && sender.isAvailable(room))
            .toList();
    long bytes = gate == Gate.NEVER ? Long.MAX_VALUE : most;
    return idle.isEmpty()
        ? Optional.empty()
        : Optional.of(idle.get(random.nextInt(idle.size())).take(bytes, room));
  }

  private Optional<Chunk<H, M>> nextByWeight(boolean room) {
    Division<H, M> division = division();
    return division.isFull(inUse, limits.fetchers())
        ? Optional.empty()
        : division.next(limits, random, room);
  }

  private Division<H, M> division() {
    double busiest = Gate.BUSIEST * demand.bottleneck();
    List<Division.Claim<H, M>> claims =
        senders.values().stream()
            .map(
                sender -> {
                  boolean isHot = hot.contains(sender);
                  boolean isBottleneck = isHot && sender.load().all() >= busiest;
                  return new Division.Claim<>(
                      sender,
                      sender.remaining(typicalOutput),
                      isHot,
                      // The paper's flows follow bytes and nothing else.
                      isBottleneck && sender.isAnswering() && gate != Gate.ALWAYS);
                })
            .toList();
    return new Division<>(claims, limit, limits.lanesToOne(reducers));
  }
}
