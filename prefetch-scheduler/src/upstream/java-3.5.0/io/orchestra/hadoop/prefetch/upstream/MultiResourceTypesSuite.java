package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerWithMultiResourceTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Hadoop's {@link TestFairSchedulerWithMultiResourceTypes} with our scheduler, which is not
 * started.
 */
public class MultiResourceTypesSuite extends TestFairSchedulerWithMultiResourceTypes {

  @Override
  @BeforeEach
  public void setUp() throws IOException {
    super.setUp();
    RMContext context = scheduler.getRMContext();
    scheduler = new ShadowedScheduler();
    scheduler.setRMContext(context);
  }

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void noShadowRan() {
    ShadowRun.verifyThatNoneCould();
  }
}
