package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestContinuousScheduling;
import org.junit.AfterClass;

/**
 * Hadoop's {@link TestContinuousScheduling} with our scheduler. Nothing is foretold of continuous
 * scheduling, and where that is off the scheduler is not ours.
 */
public class ContinuousSchedulingSuite extends TestContinuousScheduling {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void noShadowRan() {
    ShadowRun.verifyThatNoneCould();
  }
}
