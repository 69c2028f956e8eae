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
 * The other end of a {@link ProtocolServer}. A call fails within its time limit and is never
 * repeated.
 *
 * @param <P> the protocol as Hadoop's RPC engine sees it
 */
public final class ProtocolProxy<P> implements Closeable {
  private final P proxy;

  /** One call. */
  @FunctionalInterface
  public interface Call<P, R> {
    R on(P proxy) throws ServiceException;
  }

  /**
   * @param server need not answer yet: the connection is made by the first call
   * @param timeLimit of one call
   */
  public ProtocolProxy(
      Class<P> protocol, Configuration daemonConf, InetSocketAddress server, Duration timeLimit)
      throws IOException {
    Configuration conf = new Configuration(daemonConf);
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    int millis = Math.toIntExact(timeLimit.toMillis());
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, millis);
    proxy =
        RPC.getProtocolProxy(
                protocol,
                RPC.getProtocolVersion(protocol),
                server,
                UserGroupInformation.getLoginUser(),
                conf,
                new PrivateSocketFactory(NetUtils.getDefaultSocketFactory(conf)),
                millis,
                RetryPolicies.TRY_ONCE_THEN_FAIL)
            .getProxy();
  }

  /**
   * @throws IOException if the server did not answer in time, or answered with an error
   */
  public <R> R call(Call<P, R> call) throws IOException {
    try {
      return call.on(proxy);
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
