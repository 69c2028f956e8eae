package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestUpgradeDomainBlockPlacementPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestUpgradeDomainBlockPlacementPolicy} with our policy of upgrade domains. */
@ParameterizedClass
@MethodSource("data")
public class UpgradeDomainBlockPlacementPolicySuite extends TestUpgradeDomainBlockPlacementPolicy {

  public UpgradeDomainBlockPlacementPolicySuite(LinkState links) {
    UpstreamRun.begin(links);
  }

  public static Iterable<Object[]> data() {
    return LinkState.arguments();
  }

  @AfterAll
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify();
  }
}
