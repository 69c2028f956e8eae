package io.orchestra.hadoop.prefetch.algorithm.shadow;

/**
 * How long one ask has waited for a near node (delay scheduling by counted opportunities, as
 * FSAppAttempt 271-340 does it).
 */
public final class DelayState {
  private Locality allowed;
  private long opportunities;
  private long passed;

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

  /** So many full nodes have been offered since; {@link #offered} takes note of them. */
  void passedOver(long nodes) {
    passed += nodes;
  }

  /** Takes note of one node that is offered: the farthest one that will do now. */
  Locality offered(int nodes, double nodeThreshold, double rackThreshold) {
    long more = passed + 1;
    passed = 0;
    if (nodeThreshold < 0 || rackThreshold < 0) {
      opportunities += more;
      return Locality.OFF_SWITCH;
    }
    if (allowed == null) {
      allowed = Locality.NODE_LOCAL;
      opportunities++;
      more--;
    }
    while (allowed != Locality.OFF_SWITCH && more > 0) {
      double threshold = allowed == Locality.NODE_LOCAL ? nodeThreshold : rackThreshold;
      long enough = (long) (nodes * Math.min(1, threshold)) + 1;
      long left = Math.max(1, enough - opportunities);
      if (more < left) {
        break;
      }
      more -= left;
      opportunities = 0;
      allowed = allowed == Locality.NODE_LOCAL ? Locality.RACK_LOCAL : Locality.OFF_SWITCH;
    }
    opportunities += more;
    return allowed;
  }

  /** A container nearer than what is allowed makes the ask wait for such again. */
  void allocated(Locality locality) {
    if (allowed != null && locality.compareTo(allowed) < 0) {
      allowed = locality;
    }
  }
}
