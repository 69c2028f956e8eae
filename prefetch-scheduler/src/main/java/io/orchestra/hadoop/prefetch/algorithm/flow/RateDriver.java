package io.orchestra.hadoop.prefetch.algorithm.flow;

import io.orchestra.hadoop.core.topology.Link;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * Makes devices keep to the rates that flows were allotted (FlexFetch, section IV-B). Whatever
 * drives them, their targets pace flows besides.
 */
public interface RateDriver {
  /** Flows have no more than their targets take, and share links with all else. */
  RateDriver PACING =
      new RateDriver() {
        @Override
        public boolean guarantees() {
          return false;
        }

        @Override
        public OptionalInt begin(PrefetchFlow flow, List<Link> path) {
          return OptionalInt.empty();
        }

        @Override
        public void follow(Collection<PrefetchFlow> flows, ToLongFunction<PrefetchFlow> rate) {}
      };

  /** Whether rates hold against other traffic, on some links at least. */
  boolean guarantees();

  /** Whether they do on this link, as far as is known. */
  default boolean guarantees(Link link) {
    return guarantees();
  }

  /**
   * A flow is about to start. Its rate follows.
   *
   * @param path that it takes
   * @return port from which its target must ask for it, if devices know it by that
   */
  OptionalInt begin(PrefetchFlow flow, List<Link> path);

  /** A host's device may have missed what it was told; no flow of this host goes on. */
  default void lost(String host) {}

  /**
   * All other flows have ended. Called after changes, of a driver that {@linkplain #guarantees
   * guarantees} rates.
   *
   * @param rate of each that was begun, bytes per second; 0 if it was allotted none
   */
  void follow(Collection<PrefetchFlow> flows, ToLongFunction<PrefetchFlow> rate);
}
