package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A broadcast during which something goes wrong. It is mended when the measurement is over. */
final class FaultyBroadcast implements Broadcast {
  /**
   * What goes wrong in a trial.
   *
   * @param text as a part of a sentence
   * @param after how long after receivers begin
   * @param recovery what is waited for after the end
   */
  record Disturbance(
      String text, Runnable begin, Runnable end, Duration after, Duration recovery) {}

  private final Broadcast broadcast;
  private final Disturbance disturbance;
  private boolean onItsWay;

  FaultyBroadcast(Broadcast broadcast, Disturbance disturbance) {
    this.broadcast = broadcast;
    this.disturbance = disturbance;
  }

  @Override
  public void prepare(Trial trial) throws Exception {
    broadcast.prepare(trial);
  }

  @Override
  public Measurement measure(Trial trial) throws Exception {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> DaemonThread.of("orchestra-fault", work));
    try {
      Future<?> begun =
          timer.schedule(
              disturbance.begin(), disturbance.after().toMillis(), TimeUnit.MILLISECONDS);
      Measurement measurement = broadcast.measure(trial);
      onItsWay = begun.isDone();
      Object unusedNull = begun.get();
      return measurement;
    } finally {
      timer.shutdownNow();
    }
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) throws Exception {
    disturbance.end().run();
    measurement.check(
        "something went wrong while the file was on its way", onItsWay, disturbance.text());
    broadcast.inspect(trial, measurement);
  }

  @Override
  public void cleanUp() throws Exception {
    broadcast.cleanUp();
    TimeUnit.MILLISECONDS.sleep(disturbance.recovery().toMillis());
  }
}
