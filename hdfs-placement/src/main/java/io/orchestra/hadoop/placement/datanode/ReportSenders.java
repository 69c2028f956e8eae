package io.orchestra.hadoop.placement.datanode;

import com.google.common.collect.Sets;
import io.orchestra.hadoop.core.rpc.LinkReport;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * One sender for each NameNode the DataNode serves, now: NameNodes may come and go while it runs.
 * Safe for concurrent use.
 */
final class ReportSenders implements Closeable {
  private final Configuration conf;
  private final int port;
  private final Duration timeLimit;
  private final Map<InetSocketAddress, ReportSender> senders = new HashMap<>();
  private boolean closed;

  /**
   * @param port of the collectors
   * @param timeLimit of one report
   */
  ReportSenders(Configuration conf, int port, Duration timeLimit) {
    this.conf = conf;
    this.port = port;
    this.timeLimit = timeLimit;
  }

  /** Starts senders for new NameNodes and ends those of NameNodes that are gone. */
  synchronized void retain(Set<InetSocketAddress> namenodes) throws IOException {
    for (InetSocketAddress gone : Sets.difference(senders.keySet(), namenodes).immutableCopy()) {
      senders.remove(gone).close();
    }
    for (InetSocketAddress namenode : namenodes) {
      if (!closed && !senders.containsKey(namenode)) {
        senders.put(
            namenode,
            new ReportSender(
                conf, NetUtils.createSocketAddrForHost(namenode.getHostString(), port), timeLimit));
      }
    }
  }

  synchronized void send(LinkReport report) {
    senders.values().forEach(sender -> sender.send(report));
  }

  @Override
  public synchronized void close() {
    closed = true;
    senders.values().forEach(ReportSender::close);
    senders.clear();
  }
}
