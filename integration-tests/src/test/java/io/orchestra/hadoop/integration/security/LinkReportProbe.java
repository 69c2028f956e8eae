package io.orchestra.hadoop.integration.security;

import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A program that sends a report for a DataNode, as whoever starts it: the host of the collector,
 * its port and the DataNode's UUID. Prints whether the report was taken, or why not.
 */
public final class LinkReportProbe {
  static final String TAKEN = "taken: ";
  static final String REFUSED = "refused: ";

  private LinkReportProbe() {}

  public static void main(String[] arguments) throws IOException {
    try (LinkReportClient client =
        new LinkReportClient(
            new HdfsConfiguration(),
            new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
            Duration.ofSeconds(20))) {
      System.out.println(TAKEN + client.report(report(arguments[2])));
    } catch (IOException e) {
      System.out.println(REFUSED + e);
    }
  }

  private static LinkReport report(String datanode) {
    return new LinkReport(
        datanode,
        Long.MAX_VALUE,
        Duration.ofSeconds(1),
        0,
        0,
        0,
        List.of(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }
}
