package io.orchestra.hadoop.prefetch.algorithm.completion;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When a map ends, from all that is known of it (FlexFetch, section III-A): its own model if that
 * is stable, else what the job's finished maps say, or those of earlier jobs. One that is overdue
 * ends a little later, and one that takes twice as long as foretold ends nobody knows when.
 */
final class CompletionTime {
  /** Seconds in which one ends that is at the end of its input and overdue. */
  private static final double MOMENT = 0.5;

  /** Of the time that one has run of whose speed nothing is known, and which is overdue. */
  private static final double OVERDUE = 1.1;

  private static final double HOPELESS = 2;

  private CompletionTime() {}

  /**
   * What other maps say.
   *
   * @param seconds of a map with such an input
   * @param course of one; empty if that says nothing of this one
   * @param tail seconds between the end of a map's input and its end
   */
  record Usual(OptionalDouble seconds, Optional<Course> course, double tail) {}

  /**
   * @param attempt that runs
   * @param elapsed seconds since its launch
   * @return seconds from its launch to its end, more than {@code elapsed}; empty while nothing is
   *     known, or what is known has proved wrong
   */
  static OptionalDouble of(AttemptProgress attempt, Usual usual, double elapsed) {
    OptionalDouble foretold =
        attempt.model().isPresent()
            ? OptionalDouble.of(attempt.model().get().seconds(attempt.input()) + usual.tail())
            : begun(attempt, usual, elapsed);
    if (foretold.isEmpty() || foretold.getAsDouble() > elapsed) {
      return foretold;
    }
    if (elapsed > HOPELESS * foretold.getAsDouble()) {
      return OptionalDouble.empty();
    }
    OptionalDouble rest = rest(attempt, usual);
    return OptionalDouble.of(
        rest.isPresent() ? elapsed + MOMENT + rest.getAsDouble() : OVERDUE * elapsed);
  }

  /** Seconds for what it has not told of yet; empty if nobody knows how fast it goes. */
  private static OptionalDouble rest(AttemptProgress attempt, Usual usual) {
    Optional<Double> alpha = attempt.model().map(LinearModel::alpha);
    if (alpha.isEmpty() && attempt.read() > 0) {
      alpha = usual.course().map(Course::alpha);
    }
    return alpha.isPresent()
        ? OptionalDouble.of(alpha.get() * (attempt.input() - attempt.read()))
        : OptionalDouble.empty();
  }

  /** JVMs start sooner or later, but from then on a map goes as others do. */
  private static OptionalDouble begun(AttemptProgress attempt, Usual usual, double elapsed) {
    if (usual.course().isEmpty()) {
      return usual.seconds();
    }
    Course course = usual.course().get();
    OptionalDouble read = attempt.seconds(course.alpha());
    if (read.isPresent()) {
      return OptionalDouble.of(read.getAsDouble() + course.tail());
    }
    if (usual.seconds().isEmpty() || usual.seconds().getAsDouble() <= elapsed) {
      // Some never tell of their progress.
      return usual.seconds();
    }
    double soonest = elapsed + course.alpha() * attempt.input() + course.tail();
    return OptionalDouble.of(Math.max(usual.seconds().getAsDouble(), soonest));
  }
}
