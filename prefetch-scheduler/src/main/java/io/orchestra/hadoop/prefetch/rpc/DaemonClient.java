package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.core.rpc.ProtocolProxy;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** Polls one ResourceManager. */
public final class DaemonClient implements Closeable {
  private final ProtocolProxy<DaemonProtocolPB> server;

  /**
   * @param server need not answer yet: the connection is made by the first call
   * @param timeLimit of one call
   */
  public DaemonClient(Configuration conf, InetSocketAddress server, Duration timeLimit)
      throws IOException {
    this.server = new ProtocolProxy<>(DaemonProtocolPB.class, conf, server, timeLimit);
  }

  /**
   * @throws IOException if the server refuses, or did not answer in time
   */
  public PollResponseProto poll(PollProto poll) throws IOException {
    return server.call(proxy -> proxy.poll(null, poll));
  }

  @Override
  public void close() {
    server.close();
  }
}
