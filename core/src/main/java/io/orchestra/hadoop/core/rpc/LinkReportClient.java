package io.orchestra.hadoop.core.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Sends {@link LinkReport}s to one collector. A call fails within its time limit and is never
 * repeated: a late report is worth nothing.
 */
public final class LinkReportClient implements LinkReportProtocol, Closeable {
  private final LinkReportProtocolPB proxy;

  /**
   * @param collector need not answer yet: the connection is made by the first report
   * @param timeLimit of one call
   */
  public LinkReportClient(Configuration daemonConf, InetSocketAddress collector, Duration timeLimit)
      throws IOException {
    Configuration conf = new Configuration(daemonConf);
    RPC.setProtocolEngine(conf, LinkReportProtocolPB.class, ProtobufRpcEngine2.class);
    int millis = Math.toIntExact(timeLimit.toMillis());
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, millis);
    proxy =
        RPC.getProtocolProxy(
                LinkReportProtocolPB.class,
                RPC.getProtocolVersion(LinkReportProtocolPB.class),
                collector,
                UserGroupInformation.getLoginUser(),
                conf,
                new PrivateSocketFactory(NetUtils.getDefaultSocketFactory(conf)),
                millis,
                RetryPolicies.TRY_ONCE_THEN_FAIL)
            .getProxy();
  }

  @Override
  public boolean report(LinkReport report) throws IOException {
    try {
      return proxy.report(null, report.toProto()).getAccepted();
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
