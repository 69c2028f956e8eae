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
  /**
   * Bytes. A report of {@link LinkReportProtocol#MOST_SOURCES} addresses with {@link
   * LinkReportProtocol#LONGEST_SOURCE} characters each, and a tag and a length for each, is 4.1
   * MiB; the rest of it and the headers of the call are less than 1 KiB.
   */
  static final int LONGEST_REPORT = 5 << 20;

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
        LinkReportProtocol.ACL_KEY,
        LONGEST_REPORT);
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
