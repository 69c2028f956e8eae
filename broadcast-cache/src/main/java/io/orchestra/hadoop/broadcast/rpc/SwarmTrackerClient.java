package io.orchestra.hadoop.broadcast.rpc;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.rpc.ProtocolProxy;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** Calls one tracker, as {@link ProtocolProxy} does. */
public final class SwarmTrackerClient implements SwarmTrackerProtocol, Closeable {
  private final ProtocolProxy<SwarmTrackerProtocolPB> tracker;

  /**
   * @param tracker need not answer yet: the connection is made by the first call
   * @param timeLimit of one call
   */
  public SwarmTrackerClient(Configuration conf, InetSocketAddress tracker, Duration timeLimit)
      throws IOException {
    this.tracker = new ProtocolProxy<>(SwarmTrackerProtocolPB.class, conf, tracker, timeLimit);
  }

  @Override
  public JoinResponseProto join(JoinProto request) throws IOException {
    return tracker.call(proxy -> proxy.join(null, request));
  }

  @Override
  public AnnounceResponseProto announce(AnnounceProto request) throws IOException {
    return tracker.call(proxy -> proxy.announce(null, request));
  }

  @Override
  public void close() {
    tracker.close();
  }
}
