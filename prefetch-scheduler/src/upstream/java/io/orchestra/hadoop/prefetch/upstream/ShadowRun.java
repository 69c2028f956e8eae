package io.orchestra.hadoop.prefetch.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** What every suite does before and after. */
final class ShadowRun {
  private ShadowRun() {}

  /** The suites write their allocation files there, some before they have a configuration. */
  static void makeDirectory() {
    try {
      Files.createDirectories(Path.of(System.getProperty("test.build.data")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Configuration configured(Configuration conf) {
    makeDirectory();
    // By default all processes of a user share one, and suites run side by side.
    conf.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        Path.of(System.getProperty("test.build.data"), "node-attributes").toUri().toString());
    conf.setClass(YarnConfiguration.RM_SCHEDULER, ShadowedScheduler.class, ResourceScheduler.class);
    return conf;
  }

  /** Shadows have run, and never failed. */
  static void verify() {
    assertThat(ShadowedScheduler.runs()).isPositive();
    assertThat(ShadowedScheduler.failures()).isZero();
  }

  /** No shadow had anything to do; the suite says why. */
  static void verifyThatNoneCould() {
    assertThat(ShadowedScheduler.runs()).isZero();
    assertThat(ShadowedScheduler.failures()).isZero();
  }
}
