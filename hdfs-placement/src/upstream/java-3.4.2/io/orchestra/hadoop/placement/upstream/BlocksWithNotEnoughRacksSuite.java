package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestBlocksWithNotEnoughRacks;
import org.junit.AfterClass;

/** Hadoop's {@link TestBlocksWithNotEnoughRacks} with our policies. */
public class BlocksWithNotEnoughRacksSuite extends TestBlocksWithNotEnoughRacks {

  public BlocksWithNotEnoughRacksSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterClass
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }
}
