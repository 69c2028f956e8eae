package io.orchestra.hadoop.placement.upstream;

import io.orchestra.hadoop.placement.namenode.LinkState;
import io.orchestra.hadoop.placement.namenode.UpstreamRun;
import org.apache.hadoop.hdfs.server.mover.TestMover;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's {@link TestMover} with our policy in the NameNode and in the Mover. */
public class MoverSuite extends TestMover {

  public MoverSuite() {
    UpstreamRun.begin(LinkState.SKEWED_REPORTS);
  }

  @AfterAll
  public static void replicasWerePlacedByTheNetwork() {
    UpstreamRun.verify(LinkState.SKEWED_REPORTS);
  }

  @AfterAll
  public static void toolsChoseNothing() {
    UpstreamRun.verifyTools();
  }

  @Override
  @Test
  @Disabled("Writes a key store beside its class, which is in a jar")
  public void testMoverWithKeytabs() {}
}
