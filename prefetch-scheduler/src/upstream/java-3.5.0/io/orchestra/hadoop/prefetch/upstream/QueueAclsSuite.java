package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerQueueACLs;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestFairSchedulerQueueACLs} with our scheduler. */
public class QueueAclsSuite extends TestFairSchedulerQueueACLs {

  @Override
  protected Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
