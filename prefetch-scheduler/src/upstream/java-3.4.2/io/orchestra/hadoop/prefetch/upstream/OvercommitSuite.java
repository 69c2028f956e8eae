package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerOvercommit;
import org.junit.AfterClass;

/** Hadoop's {@link TestFairSchedulerOvercommit} with our scheduler. */
public class OvercommitSuite extends TestFairSchedulerOvercommit {

  @Override
  protected Configuration getConfiguration() {
    Configuration conf = ShadowRun.configured(super.getConfiguration());
    // The queue of a user who is called root would be the root of all queues, which takes none.
    conf.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
    return conf;
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
