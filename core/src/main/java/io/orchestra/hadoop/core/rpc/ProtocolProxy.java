package io.orchestra.hadoop.core.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * The other end of a {@link ProtocolServer}. A call is never repeated. Connecting, each step of
 * logging in to the server, and the answer have the time limit each.
 *
 * @param <P> the protocol as Hadoop's RPC engine sees it
 */
public final class ProtocolProxy<P> implements Closeable {
  private final UserGroupInformation caller;
  private final P proxy;

  /** One call. */
  @FunctionalInterface
  public interface Call<P, R> {
    R on(P proxy) throws ServiceException;
  }

  /** As the process itself. See the other constructor. */
  public ProtocolProxy(
      Class<P> protocol, Configuration conf, InetSocketAddress server, Duration timeLimit)
      throws IOException {
    this(protocol, conf, UserGroupInformation.getLoginUser(), server, timeLimit);
  }

  /**
   * @param caller in whose name, and with whose tokens or ticket, calls are made
   * @param server need not answer yet: the connection is made by the first call
   * @param timeLimit of one call
   */
  public ProtocolProxy(
      Class<P> protocol,
      Configuration daemonConf,
      UserGroupInformation caller,
      InetSocketAddress server,
      Duration timeLimit)
      throws IOException {
    this.caller = caller;
    int millis = Math.toIntExact(timeLimit.toMillis());
    Configuration conf = impatient(daemonConf, millis);
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    proxy =
        RPC.getProtocolProxy(
                protocol,
                RPC.getProtocolVersion(protocol),
                server,
                caller,
                conf,
                new PrivateSocketFactory(NetUtils.getDefaultSocketFactory(conf)),
                millis,
                RetryPolicies.TRY_ONCE_THEN_FAIL)
            .getProxy();
  }

  /** Without the second attempts, and the pauses before them, of Hadoop's RPC client. */
  static Configuration impatient(Configuration daemonConf, int millis) {
    Configuration conf = new Configuration(daemonConf);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SASL_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, millis);
    return conf;
  }

  /**
   * @throws IOException if the server did not answer in time, or answered with an error
   */
  public <R> R call(Call<P, R> call) throws IOException {
    try {
      return call.on(proxy);
    } catch (ServiceException e) {
      IOException failure = e.getCause() instanceof IOException cause ? cause : new IOException(e);
      renewTicket(failure);
      throw failure;
    }
  }

  /** For the next call: Hadoop's client renews a Kerberos ticket only before it tries again. */
  private void renewTicket(IOException failure) {
    try {
      caller.checkTGTAndReloginFromKeytab();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
