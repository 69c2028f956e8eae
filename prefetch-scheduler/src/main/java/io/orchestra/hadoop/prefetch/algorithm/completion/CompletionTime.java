package io.orchestra.hadoop.prefetch.algorithm.completion;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When a map ends, from all that is known of it (FlexFetch, section III-A): its own model if that
 * is stable, else what the job's finished maps say, or those of earlier jobs. One that is overdue
 * ends a little later, and one that takes twice as long as foretold ends nobody knows when.
 */
public final class CompletionTime {
  /** Of the time an overdue attempt has run. */
  private static final double OVERDUE = 1.1;

  private static final double HOPELESS = 2;

  private CompletionTime() {}

  /**
   * @param attempt that runs
   * @param usual seconds of a map with such an input
   * @param tail seconds between the end of a map's input and its end
   * @param elapsed seconds since its launch
   * @return seconds from its launch to its end, more than {@code elapsed}; empty while nothing is
   *     known, or what is known has proved wrong
   */
  public static OptionalDouble of(
      AttemptProgress attempt, OptionalDouble usual, double tail, double elapsed) {
    Optional<LinearModel> own = attempt.model();
    OptionalDouble foretold =
        own.isPresent() ? OptionalDouble.of(own.get().seconds(attempt.input()) + tail) : usual;
    if (foretold.isEmpty() || foretold.getAsDouble() > elapsed) {
      return foretold;
    }
    return elapsed <= HOPELESS * foretold.getAsDouble()
        ? OptionalDouble.of(OVERDUE * elapsed)
        : OptionalDouble.empty();
  }
}
