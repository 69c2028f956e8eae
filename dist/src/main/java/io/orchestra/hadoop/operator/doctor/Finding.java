package io.orchestra.hadoop.operator.doctor;

import java.util.Locale;

/**
 * One thing that was looked at.
 *
 * @param text one line
 * @param remedy one line; empty if nothing is to be done
 */
record Finding(Level level, String text, String remedy) {

  /** How bad it is. */
  enum Level {
    OK,
    /** As the operator may want it. */
    NOTE,
    PROBLEM,
    /** It could not be looked at. */
    UNKNOWN
  }

  String render() {
    String first = "%-8s %s".formatted(level.name().toLowerCase(Locale.ROOT), text);
    return remedy.isEmpty() ? first : first + "\n         remedy: " + remedy;
  }
}
