package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyConsiderLoad;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestReplicationPolicyConsiderLoad} with our policy. */
@ParameterizedClass
@MethodSource("data")
public class ConsiderLoadSuite extends TestReplicationPolicyConsiderLoad {

  public ConsiderLoadSuite(LinkState links) {
    super(NetworkAwarePlacementPolicy.class.getName());
    UpstreamRun.begin(links);
  }

  // Hides the suite's own list of policies.
  public static Iterable<Object[]> data() {
    return LinkState.arguments();
  }

  @AfterAll
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify();
  }
}
