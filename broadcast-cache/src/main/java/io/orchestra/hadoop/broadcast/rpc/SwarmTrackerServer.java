package io.orchestra.hadoop.broadcast.rpc;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmTrackerService;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Takes the calls of peers on a port of its own. */
public final class SwarmTrackerServer {
  /**
   * Bytes. The longest message is an announcement: 200 bytes for each file of a host, of which at
   * most 1024 are in the cache and 32 under way, and 88 for each DataNode that has sent pieces of
   * one that is under way: 400 receivers and 400 with replicas, where
   * orchestra.broadcast.neighbours is 200, the most. That is 2.4 MiB; the rest is for neighbours
   * that have left since the last announcement, and for those who came in their place. A request to
   * join has 1000 claims at most, which are 66 KiB.
   */
  static final int LONGEST_MESSAGE = 4 << 20;

  private SwarmTrackerServer() {}

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code tracker}, which must be safe for them
   * @throws IOException if the address cannot be bound
   */
  public static ProtocolServer start(
      Configuration conf, InetSocketAddress bind, int handlers, SwarmTrackerProtocol tracker)
      throws IOException {
    return ProtocolServer.start(
        conf,
        bind,
        handlers,
        SwarmTrackerProtocolPB.class,
        SwarmTrackerService.newReflectiveBlockingService(new Translator(tracker)),
        SwarmTrackerProtocol.class,
        SwarmTrackerProtocol.ACL_KEY,
        LONGEST_MESSAGE);
  }

  private record Translator(SwarmTrackerProtocol tracker) implements SwarmTrackerProtocolPB {
    @Override
    public JoinResponseProto join(RpcController controller, JoinProto request)
        throws ServiceException {
      try {
        return tracker.join(request);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }

    @Override
    public AnnounceResponseProto announce(RpcController controller, AnnounceProto request)
        throws ServiceException {
      try {
        return tracker.announce(request);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }
  }
}
