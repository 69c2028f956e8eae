package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.blockmanagement.TestBlocksWithNotEnoughRacks;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestBlocksWithNotEnoughRacks} with our policies. */
public class BlocksWithNotEnoughRacksSuite extends TestBlocksWithNotEnoughRacks {

  public BlocksWithNotEnoughRacksSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterAll
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }
}
