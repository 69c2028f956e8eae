package io.orchestra.hadoop.testbed.network;

import java.util.List;

/**
 * A cable with two ends, each limited to the same rate in its outgoing direction.
 *
 * @param name the name of the host or rack it connects
 * @param lower the end at the host or rack: what it sends goes up
 * @param upper the end nearer to the core: what it sends goes down
 * @param rate the rate of each direction
 */
public record Link(String name, End lower, End upper, Rate rate) {

  /**
   * @param namespace the host whose network namespace holds the device, or {@link
   *     NetworkPlan#FABRIC}
   * @param device the name of the network device there
   */
  public record End(String namespace, String device) {}

  public List<End> ends() {
    return List.of(lower, upper);
  }
}
