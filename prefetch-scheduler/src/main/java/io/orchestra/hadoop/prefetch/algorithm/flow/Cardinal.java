package io.orchestra.hadoop.prefetch.algorithm.flow;

import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import io.orchestra.hadoop.core.topology.Link;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * CARDINAL (FlexFetch, section III-B2, algorithm 1): whom to abandon so that a new prefetch gets
 * its rate. Jobs with fewer residual tasks go first (LRTF): one late task delays them, while a
 * large job hides it behind those to come. Decides only; the caller abandons and allots.
 */
public final class Cardinal {

  /** Who goes first. {@link Cardinal} itself knows all but {@link #PREEMPTIVE}. */
  public enum Mode {
    /** To the letter: what a link has left, and what victims of another link free, do not count. */
    LITERAL,
    /** What is free counts, and nobody is abandoned whom the new flow does not need gone. */
    IMPROVED,
    /** Nobody is abandoned: who is launched first gets all that links have, and goes first. */
    PREEMPTIVE,
    /** Every flow gets its rate, whether there is room for it or not. */
    OFF
  }

  /**
   * What to do with a new flow.
   *
   * @param victims to abandon first
   * @param bottleneck a link on which not even that makes enough room; empty if the flow gets its
   *     rate
   */
  public record Decision(Set<PrefetchFlow> victims, Optional<Link> bottleneck) {
    public Decision {
      victims = ImmutableSet.copyOf(victims);
    }

    static Decision admitted(Set<PrefetchFlow> victims) {
      return new Decision(victims, Optional.empty());
    }

    static Decision refused(Link bottleneck) {
      return new Decision(Set.of(), Optional.of(bottleneck));
    }
  }

  private final Allotments network;
  private final ToLongFunction<String> residual;
  private final Mode mode;

  /**
   * @param residual number of tasks of a job that are not completed
   */
  public Cardinal(Allotments network, ToLongFunction<String> residual, Mode mode) {
    this.network = network;
    this.residual = residual;
    this.mode = mode;
  }

  /**
   * @param flow that is to get a rate, or a higher one
   * @param rate it needs besides the one it has, bytes per second
   */
  public Decision decide(PrefetchFlow flow, long rate) {
    if (mode == Mode.OFF) {
      return Decision.admitted(Set.of());
    }
    Set<PrefetchFlow> victims = new LinkedHashSet<>();
    List<Link> path = network.path(flow);
    for (Link link : path) {
      if (network.capacity(link) < rate && !makeRoom(flow, rate, link, victims)) {
        return Decision.refused(link);
      }
    }
    if (mode == Mode.IMPROVED) {
      spare(victims, path, rate);
    }
    return Decision.admitted(victims);
  }

  private boolean makeRoom(PrefetchFlow flow, long rate, Link link, Set<PrefetchFlow> victims) {
    long available = mode == Mode.LITERAL ? 0 : available(link, victims);
    for (PrefetchFlow candidate : lessCritical(flow, link)) {
      if (available >= rate) {
        break;
      }
      boolean chosenNow = victims.add(candidate);
      if (chosenNow || mode == Mode.LITERAL) {
        available = LongMath.saturatedAdd(available, network.rate(candidate));
      }
    }
    return available >= rate;
  }

  /** Flows of jobs with more residual tasks, the least critical first. */
  private List<PrefetchFlow> lessCritical(PrefetchFlow flow, Link link) {
    long own = residual.applyAsLong(flow.job());
    return network.flows(link).stream()
        .filter(other -> residual.applyAsLong(other.job()) > own)
        .sorted(byCriticality())
        .toList();
  }

  private Comparator<PrefetchFlow> byCriticality() {
    return Comparator.<PrefetchFlow>comparingLong(flow -> -residual.applyAsLong(flow.job()))
        .thenComparingLong(PrefetchFlow::id);
  }

  /** A victim of one link may make a victim of another one needless. */
  private void spare(Set<PrefetchFlow> victims, List<Link> path, long rate) {
    for (PrefetchFlow victim : victims.stream().sorted(byCriticality().reversed()).toList()) {
      victims.remove(victim);
      if (path.stream().anyMatch(link -> available(link, victims) < rate)) {
        victims.add(victim);
      }
    }
  }

  private long available(Link link, Set<PrefetchFlow> victims) {
    long freed =
        victims.stream()
            .filter(network.flows(link)::contains)
            .mapToLong(network::rate)
            .reduce(0, LongMath::saturatedAdd);
    return LongMath.saturatedAdd(network.capacity(link), freed);
  }
}
