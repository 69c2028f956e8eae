package io.orchestra.hadoop.testbed.agent;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.gridmix.Progressive;
import org.apache.hadoop.mapred.gridmix.emulators.resourceusage.ResourceUsageEmulatorPlugin;
import org.apache.hadoop.tools.rumen.ResourceUsageMetrics;
import org.apache.hadoop.yarn.util.ResourceCalculatorPlugin;

/**
 * What tasks of the trace computed, to those of GridMix: they wait for as long as the former had a
 * processor, in step with their progress. All hosts share the few processors of this machine, and
 * what a task computes on a host of its own is time that passes here.
 */
public final class WaitingCpuEmulator implements ResourceUsageEmulatorPlugin {
  /** Milliseconds; less is left for the next time. */
  private static final long LEAST = 10;

  private Progressive task;
  private double millis;
  private double waited;

  @Override
  public void initialize(
      Configuration conf,
      ResourceUsageMetrics metrics,
      ResourceCalculatorPlugin monitor,
      Progressive progress) {
    task = progress;
    millis = metrics.getCumulativeCpuUsage();
  }

  @Override
  public void emulate() throws InterruptedException {
    long due = (long) (millis * task.getProgress() - waited);
    if (due >= LEAST) {
      TimeUnit.MILLISECONDS.sleep(due);
      waited += due;
    }
  }

  /** Of what it emulates. */
  @Override
  public float getProgress() {
    return millis > 0 ? (float) (waited / millis) : 1;
  }
}
