package io.orchestra.hadoop.core.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * A port of our own for one protocol.
 *
 * <p>Not on a daemon's RPC server: its table of protocols must not change while it runs, and a
 * refresh of its access control lists would forget ours.
 *
 * <p>With Kerberos only the principal that the protocol names is let in, whether or not the daemon
 * authorizes callers of its own protocols. Callers with tokens have none.
 *
 * <p>Whoever announces a message that is longer than this protocol has is left at once: for others
 * memory is taken before anything is known of them.
 */
public final class ProtocolServer implements Closeable {
  private final RPC.Server server;

  private ProtocolServer(RPC.Server server) {
    this.server = server;
  }

  /** For callers that need no token. See the other method. */
  public static ProtocolServer start(
      Configuration conf,
      InetSocketAddress bind,
      int handlers,
      Class<?> protocol,
      BlockingService service,
      Class<?> name,
      String acl,
      int longestMessage)
      throws IOException {
    return start(conf, bind, handlers, protocol, service, name, acl, longestMessage, null);
  }

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code service}, which must be safe for them
   * @param protocol as Hadoop's RPC engine sees it, with its version and Kerberos principals
   * @param service that the engine calls
   * @param name class that {@code protocol} has as its name: what a client asks for
   * @param acl key of its access control list in {@code hadoop-policy.xml}
   * @param longestMessage that a caller may send, with the headers of Hadoop's RPC, in bytes
   * @param tokens which callers may show; null if there are none
   * @throws IOException if the address cannot be bound
   */
  public static ProtocolServer start(
      Configuration daemonConf,
      InetSocketAddress bind,
      int handlers,
      Class<?> protocol,
      BlockingService service,
      Class<?> name,
      String acl,
      int longestMessage,
      SecretManager<? extends TokenIdentifier> tokens)
      throws IOException {
    Configuration conf = new Configuration(daemonConf);
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, longestMessage);
    if (tokens == null && UserGroupInformation.isSecurityEnabled()) {
      // Hadoop compares principals only where it authorizes (Server.authorizeConnection).
      conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
    }
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(protocol)
            .setInstance(service)
            .setBindAddress(bind.getHostString())
            .setPort(bind.getPort())
            .setNumHandlers(handlers)
            .setSecretManager(tokens)
            .setVerbose(false)
            .build();
    // Whoever is refused could fill the log with stack traces.
    server.addTerseExceptions(IOException.class, AccessControlException.class);
    try {
      if (conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
        server.refreshServiceAcl(conf, policy(name, acl));
      }
      server.start();
    } catch (RuntimeException | Error e) {
      // The port is bound already.
      server.stop();
      throw e;
    }
    return new ProtocolServer(server);
  }

  private static PolicyProvider policy(Class<?> name, String acl) {
    return new PolicyProvider() {
      @Override
      public Service[] getServices() {
        return new Service[] {new Service(acl, name)};
      }
    };
  }

  public int port() {
    return server.getListenerAddress().getPort();
  }

  @Override
  public void close() {
    server.stop();
  }
}
