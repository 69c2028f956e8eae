package io.orchestra.hadoop.prefetch.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TestFairSchedulerPreemption;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** Hadoop's {@link TestFairSchedulerPreemption} with our scheduler. */
public class PreemptionSuite extends TestFairSchedulerPreemption {

  public PreemptionSuite(String name, int mode) throws IOException {
    super(name, mode);
  }

  @BeforeClass
  public static void directoryIsThere() {
    ShadowRun.makeDirectory();
  }

  @Override
  public Configuration createConfiguration() {
    return ShadowRun.configured(super.createConfiguration());
  }

  @AfterClass
  public static void shadowsRan() {
    ShadowRun.verify();
  }
}
