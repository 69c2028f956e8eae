package io.orchestra.hadoop.core.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Sends {@link LinkReport}s to one collector. A call fails soon and is never repeated: a late
 * report is worth nothing.
 */
public final class LinkReportClient implements LinkReportProtocol, Closeable {
  private final ProtocolProxy<LinkReportProtocolPB> collector;

  /**
   * @param collector need not answer yet: the connection is made by the first report
   * @param timeLimit of one call
   */
  public LinkReportClient(Configuration conf, InetSocketAddress collector, Duration timeLimit)
      throws IOException {
    this.collector = new ProtocolProxy<>(LinkReportProtocolPB.class, conf, collector, timeLimit);
  }

  @Override
  public boolean report(LinkReport report) throws IOException {
    return collector.call(proxy -> proxy.report(null, report.toProto()).getAccepted());
  }

  @Override
  public void close() {
    collector.close();
  }
}
