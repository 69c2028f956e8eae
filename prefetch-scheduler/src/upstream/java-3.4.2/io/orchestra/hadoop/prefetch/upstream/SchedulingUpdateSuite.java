package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestSchedulingUpdate;
import org.junit.AfterClass;

/** Hadoop's {@link TestSchedulingUpdate} with our scheduler. It submits no application. */
public class SchedulingUpdateSuite extends TestSchedulingUpdate {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void noShadowRan() {
    ShadowRun.verifyThatNoneCould();
  }
}
