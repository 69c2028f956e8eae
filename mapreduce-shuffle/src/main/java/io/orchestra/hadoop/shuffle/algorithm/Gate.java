package io.orchestra.hadoop.shuffle.algorithm;

import java.util.function.Predicate;

/**
 * Whether a reducer weighs its senders at all. Where data is balanced, stock's random choice is
 * close to the optimum (Orchestra, section 6.2), and there is nothing to gain.
 */
public enum Gate {
  /** When a sender that may be the bottleneck has unusually much for this reducer. */
  HOT_SENDER(Gate::hasHotSender),

  /** Whatever the sizes, and in plain proportion to them, as the paper has it. */
  ALWAYS(demand -> true),

  /** As stock. */
  NEVER(demand -> false);

  /** A link with less than this part of the busiest link's bytes is no bottleneck. */
  private static final double NEARLY_BUSIEST = 0.5;

  /** A link with so much of the busiest link's bytes may be the bottleneck itself. */
  static final double BUSIEST = 0.95;

  /** How many times the mean a share must be. */
  private static final double UNUSUAL = 2;

  private final Predicate<Demand> rule;

  Gate(Predicate<Demand> rule) {
    this.rule = rule;
  }

  boolean isOpen(Demand demand) {
    return rule.test(demand);
  }

  private static boolean hasHotSender(Demand demand) {
    return demand.senders().stream().anyMatch(isHot(demand));
  }

  /** Whether a sender may be the bottleneck and has unusually much for the reducer. */
  static Predicate<Share> isHot(Demand demand) {
    double busy = NEARLY_BUSIEST * demand.bottleneck();
    double unusual = UNUSUAL * demand.own() / Math.max(1, demand.senders().size());
    return sender -> sender.all() >= busy && sender.own() > unusual;
  }
}
