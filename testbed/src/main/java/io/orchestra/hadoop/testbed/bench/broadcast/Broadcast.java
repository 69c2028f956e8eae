package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;

/** One way of bringing files to receivers, from trial to trial. */
interface Broadcast {
  /** Puts the file where it is before, and the receivers to where they only have to begin. */
  void prepare(Trial trial) throws Exception;

  /** Returns when the last receiver has it. */
  Measurement measure(Trial trial) throws Exception;

  /** Adds checks of what the receivers have, and who moved it. */
  void inspect(Trial trial, Measurement.Builder measurement) throws Exception;

  void cleanUp() throws Exception;

  default Arm arm(Way way) {
    Arm arm =
        Arm.of(way.title(), this::measure)
            .preparedBy(this::prepare)
            .inspectedBy(this::inspect)
            .cleanedUpBy(trial -> cleanUp());
    Arm judged = way.whyNoBusyLink().map(arm::withoutBusyLink).orElse(arm);
    return way == Way.BOUND ? judged.withoutIdleCpu("it is computed") : judged;
  }
}
