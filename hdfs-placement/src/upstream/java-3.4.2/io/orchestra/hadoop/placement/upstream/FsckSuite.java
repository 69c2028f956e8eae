package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.namenode.TestFsck;
import org.junit.AfterClass;

/** Hadoop's {@link TestFsck} with our policy in the NameNode and in fsck. */
public class FsckSuite extends TestFsck {

  public FsckSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterClass
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }
}
