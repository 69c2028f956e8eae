package io.orchestra.hadoop.prefetch.algorithm.completion;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When a map ends, from all that is known of it (FlexFetch, section III-A): its own model if that
 * is stable, else what the job's finished maps say, or those of earlier jobs. One that is overdue
 * ends a little later, and one that takes twice as long as foretold ends nobody knows when.
 */
public final class CompletionTime {
  /** Seconds in which one ends that has read all of its input: it tells no more of itself. */
  private static final double MOMENT = 0.5;

  /** Of the time that one has run which says nothing and is overdue. */
  private static final double OVERDUE = 1.1;

  private static final double HOPELESS = 2;

  private CompletionTime() {}

  /**
   * What other maps say.
   *
   * @param seconds of a map with such an input
   * @param alpha seconds per byte while they read; empty if that says nothing of this one
   * @param tail seconds between the end of a map's input and its end
   */
  record Usual(OptionalDouble seconds, OptionalDouble alpha, double tail) {}

  /**
   * @param attempt that runs
   * @param elapsed seconds since its launch
   * @return seconds from its launch to its end, more than {@code elapsed}; empty while nothing is
   *     known, or what is known has proved wrong
   */
  static OptionalDouble of(AttemptProgress attempt, Usual usual, double elapsed) {
    Optional<LinearModel> own = attempt.model();
    OptionalDouble foretold =
        own.isPresent()
            ? OptionalDouble.of(own.get().seconds(attempt.input()) + usual.tail())
            : begun(attempt, usual, elapsed);
    if (foretold.isEmpty() || foretold.getAsDouble() > elapsed) {
      return foretold;
    }
    if (elapsed > HOPELESS * foretold.getAsDouble()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(own.isPresent() ? elapsed + MOMENT : OVERDUE * elapsed);
  }

  /** JVMs start sooner or later, but from then on a map goes as fast as others do. */
  private static OptionalDouble begun(AttemptProgress attempt, Usual usual, double elapsed) {
    if (usual.alpha().isEmpty()) {
      return usual.seconds();
    }
    double alpha = usual.alpha().getAsDouble();
    OptionalDouble end = attempt.seconds(alpha);
    if (end.isPresent()) {
      return OptionalDouble.of(end.getAsDouble() + usual.tail());
    }
    double soonest = elapsed + alpha * attempt.input() + usual.tail();
    return OptionalDouble.of(Math.max(usual.seconds().orElse(soonest), soonest));
  }
}
