package io.orchestra.hadoop.prefetch.algorithm.shadow;

/**
 * Settings of the Fair Scheduler that its model follows.
 *
 * @param assignMultiple whether one heartbeat may bring several containers
 * @param dynamicMaximum then: whether as many as fill half of what is free
 * @param maximum else: how many; not positive for no limit
 * @param nodeThreshold delay for a node, as a fraction of the nodes; negative for none
 * @param rackThreshold delay for a rack, likewise
 * @param reservableNodes fraction of the nodes an application may reserve
 * @param reservationThreshold smallest container for which a node is reserved
 */
public record SchedulerRules(
    boolean assignMultiple,
    boolean dynamicMaximum,
    int maximum,
    double nodeThreshold,
    double rackThreshold,
    double reservableNodes,
    ResourceVector reservationThreshold) {

  boolean delays() {
    return nodeThreshold >= 0 && rackThreshold >= 0;
  }
}
