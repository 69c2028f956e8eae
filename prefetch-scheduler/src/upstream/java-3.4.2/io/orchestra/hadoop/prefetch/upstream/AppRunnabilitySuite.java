package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestAppRunnability;
import org.junit.AfterClass;

/** Hadoop's {@link TestAppRunnability} with our scheduler. */
public class AppRunnabilitySuite extends TestAppRunnability {

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
