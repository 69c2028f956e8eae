package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairScheduler;
import org.junit.AfterClass;
import org.junit.Before;

/** Hadoop's {@link TestFairScheduler} with our scheduler. */
public class FairSchedulerSuite extends TestFairScheduler {

  @Override
  @Before
  public void setUp() throws IOException {
    super.setUp();
    scheduler = new ShadowedScheduler();
    scheduler.setRMContext(resourceManager.getRMContext());
  }

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
