package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;

/**
 * Where a peer is.
 *
 * @param datanode UUID of the DataNode it lives in
 */
record PeerAddress(String datanode, String host, int port) {
  static PeerAddress of(PeerProto peer) {
    return new PeerAddress(peer.getDatanodeUuid(), peer.getAddress(), peer.getPort());
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
