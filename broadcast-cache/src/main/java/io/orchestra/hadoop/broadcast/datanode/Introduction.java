package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.algorithm.Place;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;

/**
 * What the tracker says of a neighbour.
 *
 * @param near not behind a link that many share
 * @param replicas the blocks of the file that it has a replica of, by number: its word on their
 *     checksums is believed
 */
record Introduction(PeerAddress address, boolean near, Role role, ImmutableSet<Integer> replicas) {
  static Introduction of(NeighbourProto said) {
    return new Introduction(
        PeerAddress.of(said.getPeer()),
        said.getNear(),
        said.getRole(),
        ImmutableSet.copyOf(said.getReplicasList()));
  }

  Place place() {
    if (near) {
      return Place.NEAR;
    }
    return role == Role.RECEIVER ? Place.FAR : Place.REPLICA;
  }
}
