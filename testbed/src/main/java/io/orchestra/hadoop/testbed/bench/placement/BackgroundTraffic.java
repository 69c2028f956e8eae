package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.DaemonThread;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Carries a schedule out until it is closed. */
final class BackgroundTraffic implements AutoCloseable {
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

  private final HostProgram source;
  private final BackgroundSchedule schedule;
  private final int flows;
  private final long rate;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> DaemonThread.of("orchestra-background-traffic", work));
  private final long startMillis = System.currentTimeMillis();
  private int period;
  private volatile List<String> busy = List.of();
  private volatile RuntimeException failure;

  private BackgroundTraffic(HostProgram source, BackgroundSchedule schedule, int flows, long rate) {
    this.source = source;
    this.schedule = schedule;
    this.flows = flows;
    this.rate = rate;
  }

  /**
   * @param source the program that sends
   * @param flows to each busy host
   * @param rate of those flows together, bytes per second
   */
  static BackgroundTraffic start(
      HostProgram source, BackgroundSchedule schedule, int flows, long rate) {
    BackgroundTraffic traffic = new BackgroundTraffic(source, schedule, flows, rate);
    traffic.next();
    ScheduledFuture<?> unused =
        traffic.timer.scheduleAtFixedRate(
            traffic::next,
            traffic.startMillis + schedule.endOf(0).toMillis() - System.currentTimeMillis(),
            schedule.period().toMillis(),
            TimeUnit.MILLISECONDS);
    return traffic;
  }

  private void next() {
    try {
      load(schedule.inPeriod(period++));
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private synchronized void load(List<String> hosts) {
    source.send(
        Stream.concat(
                Stream.of("load", Integer.toString(flows), Long.toString(rate)), hosts.stream())
            .collect(Collectors.joining(" ")));
    String answer = source.receive(LONGEST_ANSWER);
    if (!answer.startsWith("loading")) {
      throw new IllegalStateException("background traffic " + answer);
    }
    busy = hosts;
  }

  /** The hosts whose links are busy now. Fails if the schedule could not be carried out. */
  List<String> busy() {
    if (failure != null) {
      throw failure;
    }
    return busy;
  }

  /** When the schedule began, milliseconds since the epoch. */
  long startMillis() {
    return startMillis;
  }

  @Override
  public void close() {
    timer.shutdown();
    try {
      // INVARIANT: each answer is taken by the one who asked, so a change under way is waited for.
      boolean ended = timer.awaitTermination(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        throw new TestbedException("background traffic does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while background traffic ends", e);
    }
    load(List.of());
  }
}
