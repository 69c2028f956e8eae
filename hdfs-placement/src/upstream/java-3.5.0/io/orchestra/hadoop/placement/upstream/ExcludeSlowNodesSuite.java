package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyExcludeSlowNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestReplicationPolicyExcludeSlowNodes} with our policy. */
@ParameterizedClass
@MethodSource("data")
public class ExcludeSlowNodesSuite extends TestReplicationPolicyExcludeSlowNodes {

  public ExcludeSlowNodesSuite(LinkState links) {
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
