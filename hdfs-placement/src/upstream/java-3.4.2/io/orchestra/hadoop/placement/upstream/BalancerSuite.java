package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.balancer.TestBalancer;
import org.junit.AfterClass;
import org.junit.Ignore;
import org.junit.Test;

/** Hadoop's {@link TestBalancer} with our policy in the NameNode and in the Balancer. */
public class BalancerSuite extends TestBalancer {

  public BalancerSuite() {
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

  @Override
  @Test
  @Ignore("Writes a key store beside its class, which is in a jar")
  public void testBalancerWithKeytabs() {}
}
