package io.orchestra.hadoop.prefetch.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerPreemption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's {@link TestFairSchedulerPreemption} with our scheduler. */
public class PreemptionSuite extends TestFairSchedulerPreemption {

  @BeforeAll
  public static void directoryIsThere() {
    ShadowRun.makeDirectory();
  }

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterAll
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
