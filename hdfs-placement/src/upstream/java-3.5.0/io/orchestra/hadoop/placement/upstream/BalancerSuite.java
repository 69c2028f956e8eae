package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.balancer.TestBalancer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's {@link TestBalancer} with our policy in the NameNode and in the Balancer. */
public class BalancerSuite extends TestBalancer {

  public BalancerSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterAll
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }

  @AfterAll
  public static void toolsChoseNothing() {
    UpstreamRun.verifyTools();
  }

  @Override
  @Test
  @Disabled("Writes a key store beside its class, which is in a jar")
  public void testBalancerWithKeytabs() {}
}
