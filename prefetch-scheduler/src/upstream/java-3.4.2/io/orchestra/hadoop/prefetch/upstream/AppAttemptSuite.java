package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFSAppAttempt;
import org.junit.AfterClass;

/** Hadoop's {@link TestFSAppAttempt} with our scheduler. */
public class AppAttemptSuite extends TestFSAppAttempt {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
