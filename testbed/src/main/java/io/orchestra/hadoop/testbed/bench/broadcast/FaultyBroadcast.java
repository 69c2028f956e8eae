package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.cluster.Faults;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Receivers read a file from HDFS, and when a part of it has come something goes wrong. */
final class FaultyBroadcast implements Broadcast {
  /** When it does, as a part of what a link needs for the file. */
  private static final double PART = 0.4;

  private final BroadcastTestbed testbed;
  private final Cell cell;
  private final Way way;
  private final Fault fault;
  private final HdfsBroadcast broadcast;
  private boolean onItsWay;

  FaultyBroadcast(BroadcastTestbed testbed, Cell cell, Way way, Fault fault) {
    this.testbed = testbed;
    this.cell = cell;
    this.way = way;
    this.fault = fault;
    this.broadcast = new HdfsBroadcast(testbed, cell, way);
  }

  @Override
  public void prepare(Trial trial) {
    broadcast.prepare(trial);
  }

  @Override
  public Measurement measure(Trial trial) throws InterruptedException, ExecutionException {
    Faults faults = testbed.bench().running().faults();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> begun =
          timer.schedule(
              () -> fault.begin(faults, testbed.cast()),
              (long) (PART * cell.linkSeconds() * TimeUnit.SECONDS.toMillis(1)),
              TimeUnit.MILLISECONDS);
      Measurement measurement = broadcast.measure(trial);
      onItsWay = begun.isDone();
      Object unusedNull = begun.get();
      fault.end(faults, testbed.cast());
      return measurement;
    } finally {
      timer.shutdownNow();
    }
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) {
    measurement.check("something went wrong while the file was on its way", onItsWay, fault.text());
    SwarmFigures moved = broadcast.inspectBytes(measurement);
    if (way.isOurs()) {
      moved.addLocalizing(measurement);
    } else {
      moved.addIdle(measurement);
    }
  }

  @Override
  public void cleanUp() throws InterruptedException {
    if (way.isOurs()) {
      TimeUnit.MILLISECONDS.sleep(fault.recovery().toMillis());
    }
  }
}
