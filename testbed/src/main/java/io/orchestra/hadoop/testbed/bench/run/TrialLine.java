package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.report.Numbers;
import io.orchestra.hadoop.testbed.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;

/** A trial in a line. */
final class TrialLine {
  private TrialLine() {}

  static String of(TrialResult trial) {
    List<String> parts = new ArrayList<>();
    trial.figures().forEach((name, value) -> parts.add(name + " " + Numbers.text(value)));
    trial.measurement().checks().stream()
        .filter(check -> !check.passed())
        .map(Check::name)
        .forEach(name -> parts.add("FAILED: " + name));
    return String.join(", ", parts);
  }
}
