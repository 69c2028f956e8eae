package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.core.rpc.ProtocolProxy;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Reports to one ResourceManager. A call is never repeated: the next report says more. */
public final class AgentClient implements Closeable {
  private final ProtocolProxy<AgentProtocolPB> server;

  /**
   * @param master whose token is used
   * @param server need not answer yet: the connection is made by the first call
   * @param timeLimit of one call
   */
  public AgentClient(
      Configuration jobConf,
      UserGroupInformation master,
      InetSocketAddress server,
      Duration timeLimit)
      throws IOException {
    this.server = new ProtocolProxy<>(AgentProtocolPB.class, jobConf, master, server, timeLimit);
  }

  /**
   * @throws IOException if the server refuses, or did not answer in time
   */
  public JobReportResponseProto report(JobReportProto report) throws IOException {
    return server.call(proxy -> proxy.report(null, report));
  }

  @Override
  public void close() {
    server.close();
  }
}
