package io.orchestra.hadoop.prefetch.algorithm.shadow;

/**
 * How long one ask has waited for a near node (delay scheduling by counted opportunities, as
 * FSAppAttempt 271-340 does it).
 */
public final class DelayState {
  private Locality allowed;
  private int opportunities;

  /** The state of an ask that no node was offered to. */
  public DelayState() {}

  /**
   * @param allowed the farthest node that will do; null before the first opportunity
   * @param opportunities since that changed
   */
  public DelayState(Locality allowed, int opportunities) {
    this.allowed = allowed;
    this.opportunities = opportunities;
  }

  void addOpportunity() {
    opportunities++;
  }

  /** The farthest node that will do now. */
  Locality allowed(int nodes, double nodeThreshold, double rackThreshold) {
    if (nodeThreshold < 0 || rackThreshold < 0) {
      return Locality.OFF_SWITCH;
    }
    if (allowed == null) {
      allowed = Locality.NODE_LOCAL;
    } else if (allowed != Locality.OFF_SWITCH) {
      double threshold = allowed == Locality.NODE_LOCAL ? nodeThreshold : rackThreshold;
      if (opportunities > nodes * Math.min(1, threshold)) {
        allowed = allowed == Locality.NODE_LOCAL ? Locality.RACK_LOCAL : Locality.OFF_SWITCH;
        opportunities = 0;
      }
    }
    return allowed;
  }

  /** A container nearer than what is allowed makes the ask wait for such again. */
  void allocated(Locality locality) {
    if (allowed != null && locality.compareTo(allowed) < 0) {
      allowed = locality;
    }
  }
}
