package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import java.io.IOException;

/** A neighbour that comes, answers, and leaves. */
record BriefNeighbour(String datanode, Role role) {
  void refuse(Download download) throws IOException {
    answer(download, HelloResponseProto.newBuilder().setRefused("nothing here").build());
  }

  void answer(Download download, HelloResponseProto answer) throws IOException {
    HelloProto hello =
        HelloProto.newBuilder()
            .setDatanodeUuid("this one")
            .setBlockPool("pool")
            .setPieceLength(5)
            .setMutual(false)
            .build();
    try (PlainConnection connection = PlainConnection.open()) {
      NeighbourConnection neighbour =
          new NeighbourConnection(
              introduction(), connection.streams(), download.layout(), download.buffers());
      answer.writeDelimitedTo(connection.other().getOutputStream());
      connection.other().shutdownOutput();
      assertThat(download.acquaintances().connected(neighbour)).isTrue();
      neighbour.run(hello, download);
      download.left(neighbour);
    }
  }

  Introduction introduction() {
    return new Introduction(
        new PeerAddress(datanode, "localhost", 8121), true, role, ImmutableSet.of());
  }
}
