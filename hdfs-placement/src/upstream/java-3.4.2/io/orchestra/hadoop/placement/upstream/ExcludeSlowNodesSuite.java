package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyExcludeSlowNodes;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's {@link TestReplicationPolicyExcludeSlowNodes} with our policy. */
@RunWith(Parameterized.class)
public class ExcludeSlowNodesSuite extends TestReplicationPolicyExcludeSlowNodes {

  public ExcludeSlowNodesSuite(LinkState links) {
    super(NetworkAwarePlacementPolicy.class.getName());
    UpstreamRun.begin(links);
  }

  // Hides the suite's own list of policies.
  @Parameterized.Parameters
  public static Iterable<Object[]> data() {
    return LinkState.arguments();
  }

  @AfterClass
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify();
  }
}
