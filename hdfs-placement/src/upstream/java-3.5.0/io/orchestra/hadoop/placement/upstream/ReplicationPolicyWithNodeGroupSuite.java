package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyWithNodeGroup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestReplicationPolicyWithNodeGroup} with our policy of node groups. */
@ParameterizedClass
@MethodSource("data")
public class ReplicationPolicyWithNodeGroupSuite extends TestReplicationPolicyWithNodeGroup {

  public ReplicationPolicyWithNodeGroupSuite(LinkState links) {
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
