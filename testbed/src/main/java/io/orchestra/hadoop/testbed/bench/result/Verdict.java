package io.orchestra.hadoop.testbed.bench.result;

import java.util.Optional;

/** Whether a target is reached. */
public enum Verdict {
  MET("met"),
  NOT_MET("not met"),
  UNDECIDED("undecided");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** Compares the whole interval with the limit; without an interval nothing is decided. */
  static Verdict of(Optional<Interval> interval, double atLeast) {
    if (interval.isPresent() && interval.get().low() >= atLeast) {
      return MET;
    }
    return interval.isPresent() && interval.get().high() < atLeast ? NOT_MET : UNDECIDED;
  }

  @Override
  public String toString() {
    return text;
  }
}
