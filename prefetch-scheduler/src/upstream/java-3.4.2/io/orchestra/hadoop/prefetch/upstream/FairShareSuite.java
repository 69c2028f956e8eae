package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerFairShare;
import org.junit.AfterClass;

/** Hadoop's {@link TestFairSchedulerFairShare} with our scheduler. */
public class FairShareSuite extends TestFairSchedulerFairShare {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
