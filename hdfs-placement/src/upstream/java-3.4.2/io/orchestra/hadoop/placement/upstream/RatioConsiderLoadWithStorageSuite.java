package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyRatioConsiderLoadWithStorage;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's {@link TestReplicationPolicyRatioConsiderLoadWithStorage} with our policy. */
@RunWith(Parameterized.class)
public class RatioConsiderLoadWithStorageSuite
    extends TestReplicationPolicyRatioConsiderLoadWithStorage {

  public RatioConsiderLoadWithStorageSuite(LinkState links) {
    blockPlacementPolicy = NetworkAwarePlacementPolicy.class.getName();
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
