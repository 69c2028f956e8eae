package io.orchestra.hadoop.placement.algorithm;

import io.orchestra.hadoop.core.topology.NetworkTree;

/**
 * Which hosts a replica may go to: those below a node of the tree, or all others.
 *
 * @param node a switch, or the core for everywhere
 * @param outside true for the hosts that are <i>not</i> below it
 */
public record Scope(int node, boolean outside) {

  public static Scope everywhere(NetworkTree tree) {
    return new Scope(tree.core(), false);
  }
}
