package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFSLeafQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/** Hadoop's {@link TestFSLeafQueue} with our scheduler. */
public class LeafQueueSuite extends TestFSLeafQueue {

  @Override
  @BeforeEach
  public void setup() throws IOException {
    super.setup();
    ShadowRun.configured(conf);
  }

  @AfterAll
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
