package io.orchestra.hadoop.integration.placement;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementSteps;
import org.apache.hadoop.net.Node;

/**
 * A NameNode's topology that, on demand, fails whenever our policy asks it about a DataNode, and
 * never when HDFS does. Named in {@code dfs.net.topology.impl}.
 */
final class BreakableTopology extends DFSNetworkTopology {
  static final AtomicBoolean BROKEN = new AtomicBoolean();

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  @Override
  public boolean contains(Node node) {
    if (BROKEN.get() && STACK.getCallerClass() == PlacementSteps.class) {
      throw new IllegalStateException("broken by the test");
    }
    return super.contains(node);
  }
}
