package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.balancer.TestBalancerWithNodeGroup;
import org.junit.AfterClass;

/**
 * Hadoop's {@link TestBalancerWithNodeGroup} with our policy of node groups in the NameNode and in
 * the Balancer.
 */
public class BalancerWithNodeGroupSuite extends TestBalancerWithNodeGroup {

  public BalancerWithNodeGroupSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterClass
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }

  @AfterClass
  public static void toolsChoseNothing() {
    UpstreamRun.verifyTools();
  }
}
