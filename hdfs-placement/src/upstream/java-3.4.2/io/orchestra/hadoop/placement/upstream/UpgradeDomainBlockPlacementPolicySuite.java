package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestUpgradeDomainBlockPlacementPolicy;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's {@link TestUpgradeDomainBlockPlacementPolicy} with our policy of upgrade domains. */
@RunWith(Parameterized.class)
public class UpgradeDomainBlockPlacementPolicySuite extends TestUpgradeDomainBlockPlacementPolicy {

  public UpgradeDomainBlockPlacementPolicySuite(LinkState links) {
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
