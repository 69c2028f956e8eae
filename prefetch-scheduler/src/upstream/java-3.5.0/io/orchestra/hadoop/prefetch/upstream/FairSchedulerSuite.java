package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairScheduler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/** Hadoop's {@link TestFairScheduler} with our scheduler. */
public class FairSchedulerSuite extends TestFairScheduler {

  @Override
  @BeforeEach
  public void setUp() throws IOException {
    super.setUp();
    scheduler = new ShadowedScheduler();
    scheduler.setRMContext(resourceManager.getRMContext());
  }

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
