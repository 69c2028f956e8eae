package io.orchestra.hadoop.core.rpc;

import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportProto;
import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportResponseProto;
import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Receives {@link LinkReport}s on a port of its own. */
public final class LinkReportServer {
  private LinkReportServer() {}

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code protocol}; it must be safe for them and never block
   * @throws IOException if the address cannot be bound
   */
  public static ProtocolServer start(
      Configuration conf, InetSocketAddress bind, int handlers, LinkReportProtocol protocol)
      throws IOException {
    return ProtocolServer.start(
        conf,
        bind,
        handlers,
        LinkReportProtocolPB.class,
        LinkReportService.newReflectiveBlockingService(new Translator(protocol)),
        LinkReportProtocol.class,
        LinkReportProtocol.ACL_KEY);
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
