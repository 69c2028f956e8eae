package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestRefreshBlockPlacementPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestRefreshBlockPlacementPolicy} with our policy as the configured one. */
@ParameterizedClass
@MethodSource("data")
public class RefreshBlockPlacementPolicySuite extends TestRefreshBlockPlacementPolicy {

  public RefreshBlockPlacementPolicySuite(LinkState links) {
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
