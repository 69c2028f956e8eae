package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerFairShare;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestFairSchedulerFairShare} with our scheduler. */
public class FairShareSuite extends TestFairSchedulerFairShare {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
