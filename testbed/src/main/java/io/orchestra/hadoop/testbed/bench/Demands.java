package io.orchestra.hadoop.testbed.bench;

import java.util.Optional;

/**
 * What the machine and the network must show for an arm's figures to count.
 *
 * @param whyNoBusyLink why the busiest link need not be busy, unless it must
 * @param whyNoIdleCpu why the processors need not be idle at times, unless they must
 */
public record Demands(Optional<String> whyNoBusyLink, Optional<String> whyNoIdleCpu) {
  /** The least median utilisation of the busiest link. */
  public static final double BUSY_LINK = 0.80;

  /** The least part of the time in which the processors are idle, in each trial. */
  public static final double IDLE_CPU = 0.25;

  /** What experiments are laid out for: below it, what an arm costs processors counts. */
  public static final double AMPLE_IDLE_CPU = 0.60;

  static final Demands ALL = new Demands(Optional.empty(), Optional.empty());

  Demands withoutBusyLink(String why) {
    return new Demands(Optional.of(why), whyNoIdleCpu);
  }

  Demands withoutIdleCpu(String why) {
    return new Demands(whyNoBusyLink, Optional.of(why));
  }
}
