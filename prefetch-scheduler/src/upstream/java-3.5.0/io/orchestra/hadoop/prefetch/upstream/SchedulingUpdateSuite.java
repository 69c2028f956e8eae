package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestSchedulingUpdate;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestSchedulingUpdate} with our scheduler. It submits no application. */
public class SchedulingUpdateSuite extends TestSchedulingUpdate {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void noShadowRan() {
    ShadowRun.verifyThatNoneCould();
  }
}
