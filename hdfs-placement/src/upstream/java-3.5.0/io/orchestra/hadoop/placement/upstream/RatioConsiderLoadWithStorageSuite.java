package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyRatioConsiderLoadWithStorage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestReplicationPolicyRatioConsiderLoadWithStorage} with our policy. */
@ParameterizedClass
@MethodSource("data")
public class RatioConsiderLoadWithStorageSuite
    extends TestReplicationPolicyRatioConsiderLoadWithStorage {

  public RatioConsiderLoadWithStorageSuite(LinkState links) {
    blockPlacementPolicy = NetworkAwarePlacementPolicy.class.getName();
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
