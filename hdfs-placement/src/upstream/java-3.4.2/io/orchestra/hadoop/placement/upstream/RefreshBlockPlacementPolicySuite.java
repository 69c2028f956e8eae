package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestRefreshBlockPlacementPolicy;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's {@link TestRefreshBlockPlacementPolicy} with our policy as the configured one. */
@RunWith(Parameterized.class)
public class RefreshBlockPlacementPolicySuite extends TestRefreshBlockPlacementPolicy {

  public RefreshBlockPlacementPolicySuite(LinkState links) {
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
