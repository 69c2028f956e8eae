package io.orchestra.hadoop.integration.security;

import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerClient;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportClient;
import io.orchestra.hadoop.prefetch.rpc.DaemonClient;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A program that speaks for a DataNode on all ports where DataNodes do, as whoever starts it. Takes
 * a master, the DataNode's UUID and its host. Prints a line for each port: whether it was heard, or
 * why not.
 */
public final class DataNodeProbe {
  static final String REFUSED = " refused: ";
  static final List<String> WHAT = List.of("link report", "announcement", "poll");

  private static final String HEARD = " heard: ";
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int PORT = 9;

  private DataNodeProbe() {}

  public static void main(String[] arguments) {
    String master = arguments[0];
    Configuration conf = new YarnConfiguration(new HdfsConfiguration());
    say(
        WHAT.get(0),
        () -> {
          try (LinkReportClient client =
              new LinkReportClient(conf, new InetSocketAddress(master, 8120), LONGEST)) {
            return client.report(report(arguments[1]));
          }
        });
    say(
        WHAT.get(1),
        () -> {
          try (SwarmTrackerClient client =
              new SwarmTrackerClient(conf, new InetSocketAddress(master, 8122), LONGEST)) {
            return client.announce(announcement(arguments[1]));
          }
        });
    say(
        WHAT.get(2),
        () -> {
          try (DaemonClient client =
              new DaemonClient(conf, new InetSocketAddress(master, 8124), LONGEST)) {
            return client.poll(poll(arguments[1], arguments[2]));
          }
        });
  }

  private static void say(String what, Callable<?> call) {
    try {
      System.out.println(what + HEARD + call.call());
    } catch (Exception e) {
      System.out.println(what + REFUSED + e.toString().replace('\n', ' '));
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

  private static AnnounceProto announcement(String datanode) {
    return AnnounceProto.newBuilder()
        .setSelf(PeerProto.newBuilder().setDatanodeUuid(datanode).setPort(PORT))
        .build();
  }

  private static PollProto poll(String datanode, String host) {
    return PollProto.newBuilder()
        .setSelf(
            DaemonProto.newBuilder().setDatanodeUuid(datanode).setHost(host).setTransferPort(PORT))
        .setEpoch(0)
        .setDone(0)
        .setHold(false)
        .build();
  }
}
