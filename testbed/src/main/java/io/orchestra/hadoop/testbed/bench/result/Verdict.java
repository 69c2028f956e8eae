package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.bench.Target;
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
  static Verdict of(Optional<Interval> interval, Target target) {
    return interval.map(known -> of(known, target)).orElse(UNDECIDED);
  }

  private static Verdict of(Interval interval, Target target) {
    double limit = target.limit();
    boolean met =
        switch (target.side()) {
          case AT_LEAST -> interval.low() >= limit;
          case AT_MOST -> interval.high() <= limit;
        };
    boolean missed =
        switch (target.side()) {
          case AT_LEAST -> interval.high() < limit;
          case AT_MOST -> interval.low() > limit;
        };
    if (met) {
      return MET;
    }
    return missed ? NOT_MET : UNDECIDED;
  }

  @Override
  public String toString() {
    return text;
  }
}
