package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PrefetchDaemonService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** A port for daemons in DataNodes. A call that is held takes no thread. */
public final class DaemonServer {
  /** Bytes. */
  static final int LONGEST_POLL = 1 << 20;

  private DaemonServer() {}

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code protocol}, which must be safe for them
   * @throws IOException if the address cannot be bound
   */
  public static ProtocolServer start(
      Configuration conf, InetSocketAddress bind, int handlers, DaemonProtocol protocol)
      throws IOException {
    return ProtocolServer.start(
        conf,
        bind,
        handlers,
        DaemonProtocolPB.class,
        PrefetchDaemonService.newReflectiveBlockingService(new Translator(protocol)),
        DaemonProtocol.class,
        DaemonProtocol.ACL_KEY,
        LONGEST_POLL);
  }

  private record Translator(DaemonProtocol protocol) implements DaemonProtocolPB {
    @Override
    public PollResponseProto poll(RpcController controller, PollProto request)
        throws ServiceException {
      try {
        Optional<PollResponseProto> response = protocol.poll(caller(), request, Translator::later);
        return response.orElse(null);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }

    private static DaemonProtocol.Caller caller() throws IOException {
      InetAddress address = Server.getRemoteIp();
      return new DaemonProtocol.Caller(
          UserGroupInformation.getCurrentUser().getUserName(), address);
    }

    /** From now on the engine takes no response from this call (ProtobufRpcEngine2 629). */
    private static Consumer<PollResponseProto> later() {
      ProtobufRpcEngineCallback2 callback =
          ProtobufRpcEngine2.Server.registerForDeferredResponse2();
      return callback::setResponse;
    }
  }
}
