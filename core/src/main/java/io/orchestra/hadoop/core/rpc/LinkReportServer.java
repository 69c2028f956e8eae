package io.orchestra.hadoop.core.rpc;

import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportProto;
import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportResponseProto;
import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportService;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Receives {@link LinkReport}s on a port of its own.
 *
 * <p>Not on the NameNode's RPC server: its table of protocols must not change while it runs, and a
 * refresh of its access control lists would forget ours.
 */
public final class LinkReportServer implements Closeable {
  private static final PolicyProvider POLICY =
      new PolicyProvider() {
        @Override
        public Service[] getServices() {
          return new Service[] {new Service(LinkReportProtocol.ACL_KEY, LinkReportProtocol.class)};
        }
      };

  private final RPC.Server server;

  private LinkReportServer(RPC.Server server) {
    this.server = server;
  }

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code protocol}; it must be safe for them and never block
   * @throws IOException if the address cannot be bound
   */
  public static LinkReportServer start(
      Configuration daemonConf, InetSocketAddress bind, int handlers, LinkReportProtocol protocol)
      throws IOException {
    Configuration conf = new Configuration(daemonConf);
    RPC.setProtocolEngine(conf, LinkReportProtocolPB.class, ProtobufRpcEngine2.class);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(LinkReportProtocolPB.class)
            .setInstance(LinkReportService.newReflectiveBlockingService(new Translator(protocol)))
            .setBindAddress(bind.getHostString())
            .setPort(bind.getPort())
            .setNumHandlers(handlers)
            .setVerbose(false)
            .build();
    try {
      if (conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
        server.refreshServiceAcl(conf, POLICY);
      }
      server.start();
    } catch (RuntimeException | Error e) {
      // The port is bound already.
      server.stop();
      throw e;
    }
    return new LinkReportServer(server);
  }

  public int port() {
    return server.getListenerAddress().getPort();
  }

  @Override
  public void close() {
    server.stop();
  }

  private record Translator(LinkReportProtocol protocol) implements LinkReportProtocolPB {
    @Override
    public LinkReportResponseProto report(RpcController controller, LinkReportProto request)
        throws ServiceException {
      try {
        return LinkReportResponseProto.newBuilder()
            .setAccepted(protocol.report(LinkReport.fromProto(request)))
            .build();
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }
  }
}
