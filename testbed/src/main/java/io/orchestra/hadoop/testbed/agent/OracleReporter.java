package io.orchestra.hadoop.testbed.agent;

import com.google.common.net.HostAndPort;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Reports, in the name of this host's DataNode, the background traffic that is going to arrive: its
 * mean over the time that a block takes. What the DataNode is receiving is told as it is.
 *
 * <p>What became of the reports is counted, so that it can be told whether they were in force.
 *
 * <p>Its sequence numbers are larger than the DataNode's own, so that the collector drops those;
 * when it ends, the DataNode is heard again after the report timeout.
 */
final class OracleReporter implements Closeable {
  private static final Pattern RECEIVING =
      Pattern.compile(".*/(?<source>[^/\\s]+):\\d+ \\[Receiving block .*");
  private static final int MILLIS = 1000;
  private static final long LATER_THAN_ALL = 1L << 61;

  private final LinkReportClient client;
  private final String datanodeUuid;
  private final long lifetime;
  private final long capacity;
  private final LoadForecast forecast;
  private final String address = InetAddress.getLocalHost().getHostAddress();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(work -> DaemonThread.of("oracle-reporter", work));
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  private OracleReporter(Configuration conf, List<String> words) throws IOException {
    HostAndPort collector = HostAndPort.fromString(words.get(0));
    client =
        new LinkReportClient(
            conf,
            new InetSocketAddress(collector.getHost(), collector.getPort()),
            Duration.ofSeconds(1));
    datanodeUuid = words.get(1);
    lifetime = (long) (Double.parseDouble(words.get(2)) * MILLIS);
    capacity = Long.parseLong(words.get(4));
    forecast = LoadForecast.parse(Long.parseLong(words.get(3)), words.subList(5, words.size()));
  }

  static OracleReporter start(Configuration conf, List<String> words) throws IOException {
    OracleReporter reporter = new OracleReporter(conf, words);
    ScheduledFuture<?> unused =
        reporter.timer.scheduleAtFixedRate(reporter::report, 0, MILLIS, TimeUnit.MILLISECONDS);
    return reporter;
  }

  private void report() {
    try {
      long now = System.currentTimeMillis();
      boolean taken =
          client.report(
              new LinkReport(
                  datanodeUuid,
                  LATER_THAN_ALL + now,
                  Duration.ofMillis(MILLIS),
                  forecast.mean(now, lifetime),
                  0,
                  0,
                  sources(),
                  OptionalLong.of(capacity),
                  OptionalLong.empty()));
      (taken ? accepted : rejected).incrementAndGet();
    } catch (IOException | RuntimeException e) {
      failed.incrementAndGet();
      System.err.println("no report: " + e);
    }
  }

  /** How many reports the collector has taken, how many it has refused, and how many were lost. */
  String counts() {
    return accepted + " " + rejected + " " + failed;
  }

  /** From where the DataNode is receiving blocks, read off its threads. */
  private List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    URLConnection stacks =
        URI.create("http://" + address + ":9864/stacks").toURL().openConnection();
    stacks.setConnectTimeout(MILLIS);
    stacks.setReadTimeout(MILLIS);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(stacks.getInputStream(), StandardCharsets.UTF_8))) {
      lines
          .lines()
          .map(RECEIVING::matcher)
          .filter(Matcher::matches)
          .map(line -> line.group("source"))
          .filter(source -> !source.equals(address))
          .forEach(sources::add);
    }
    return sources;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close();
  }
}
