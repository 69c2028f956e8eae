package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestReplicationPolicyWithNodeGroup;
import org.junit.AfterClass;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Hadoop's {@link TestReplicationPolicyWithNodeGroup} with our policy of node groups. */
@RunWith(Parameterized.class)
public class ReplicationPolicyWithNodeGroupSuite extends TestReplicationPolicyWithNodeGroup {

  public ReplicationPolicyWithNodeGroupSuite(LinkState links) {
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
