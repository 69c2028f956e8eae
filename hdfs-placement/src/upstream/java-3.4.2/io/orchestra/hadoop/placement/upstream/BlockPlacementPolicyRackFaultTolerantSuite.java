package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestBlockPlacementPolicyRackFaultTolerant;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * Hadoop's {@link TestBlockPlacementPolicyRackFaultTolerant} with our rack fault tolerant policy.
 */
@RunWith(Parameterized.class)
public class BlockPlacementPolicyRackFaultTolerantSuite
    extends TestBlockPlacementPolicyRackFaultTolerant {

  public BlockPlacementPolicyRackFaultTolerantSuite(LinkState links) {
    UpstreamRun.begin(links);
  }

  @Parameterized.Parameters
  public static Iterable<Object[]> data() {
    return LinkState.arguments();
  }

  @AfterClass
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify();
  }
}
