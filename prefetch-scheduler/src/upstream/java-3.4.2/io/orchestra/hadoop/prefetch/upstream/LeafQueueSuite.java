package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFSLeafQueue;
import org.junit.AfterClass;
import org.junit.Before;

/** Hadoop's {@link TestFSLeafQueue} with our scheduler. */
public class LeafQueueSuite extends TestFSLeafQueue {

  @Override
  @Before
  public void setup() throws IOException {
    super.setup();
    ShadowRun.configured(conf);
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
