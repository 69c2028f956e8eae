package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.BroadcastConfig.Order;
import io.orchestra.hadoop.broadcast.algorithm.NeighbourChoice;
import io.orchestra.hadoop.broadcast.algorithm.Overlay;
import io.orchestra.hadoop.broadcast.algorithm.Scatter;
import io.orchestra.hadoop.broadcast.algorithm.SeedChoice;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** Tells receivers whom to ask. For one thread at a time. */
final class Introductions {
  /**
   * How many replicas of a block a receiver is told of: as many as there are of a job's files
   * ({@code mapreduce.client.submit.file.replication}).
   */
  private static final int REPLICAS = 10;

  private final Supplier<BroadcastConfig> settings;
  private final KnownPeers peers;
  private final LearnedRacks racks;
  private final Random random;

  Introductions(
      Supplier<BroadcastConfig> settings, KnownPeers peers, LearnedRacks racks, Random random) {
    this.settings = settings;
    this.peers = peers;
    this.racks = racks;
    this.random = random;
  }

  /**
   * Names those who have said to a member that they are members, too, and are: it has the rest.
   *
   * @param claimed UUIDs of DataNodes
   */
  JoinResponseProto ofThose(List<String> claimed, Swarm swarm, TrackedPeer receiver) {
    JoinResponseProto.Builder response = JoinResponseProto.newBuilder().setReaders(swarm.reading());
    Set<TrackedPeer> seeds = seeds(swarm.file());
    claimed.stream()
        .filter(swarm::contains)
        .flatMap(datanode -> peers.alive(datanode).stream())
        .filter(other -> !other.equals(receiver))
        .distinct()
        .forEach(other -> response.addNeighbours(neighbour(swarm, receiver, other, seeds)));
    return response.build();
  }

  private NeighbourProto neighbour(
      Swarm swarm, TrackedPeer receiver, TrackedPeer other, Set<TrackedPeer> seeds) {
    Role role = seeds.contains(other) ? Role.SEED : Role.RECEIVER;
    return neighbour(swarm.file(), other, isNear(swarm, receiver, other), role);
  }

  /** What a newcomer has to know: the file, whom to ask, and where it begins. */
  JoinResponseProto all(Swarm swarm, TrackedPeer receiver, Swarm.Member member) {
    boolean flock = settings.get().overlay() == Overlay.SWARM;
    JoinResponseProto.Builder response =
        JoinResponseProto.newBuilder()
            .setMinFileSize(settings.get().minFileSize())
            .setPieceLength(swarm.pieceLength())
            .setStart(Scatter.start(member.rank()))
            .setMutual(flock)
            .setTakesTurns(flock && settings.get().order() == Order.SHORTEST)
            .setPath(swarm.file().path());
    for (TrackedFile.TrackedBlock block : swarm.file().blocks()) {
      response.addBlocks(
          BlockProto.newBuilder()
              .setId(block.key().id())
              .setGenerationStamp(block.key().generationStamp())
              .setLength(block.length()));
    }
    Set<TrackedPeer> others = new LinkedHashSet<>();
    if (flock) {
      // Chains and trees are to be compared as they are.
      new NamedReplicas(swarm.file(), receiver.rack(), random).addTo(response);
      response.setReaders(swarm.reading());
      others.addAll(flock(swarm, receiver));
    } else {
      others.addAll(parent(swarm, member));
    }
    Set<TrackedPeer> seeds = seeds(swarm.file());
    Set<TrackedPeer> named = new HashSet<>(List.of(receiver));
    for (TrackedPeer other : others) {
      if (named.add(other)) {
        response.addNeighbours(neighbour(swarm, receiver, other, seeds));
      }
    }
    Role role = flock || others.isEmpty() ? Role.SEED : Role.SUMS_ONLY;
    for (TrackedPeer seed : seeds) {
      if (named.add(seed)) {
        response.addNeighbours(neighbour(swarm.file(), seed, false, role));
      }
    }
    return response.build();
  }

  private static NeighbourProto neighbour(
      TrackedFile file, TrackedPeer peer, boolean near, Role role) {
    NeighbourProto.Builder neighbour =
        NeighbourProto.newBuilder()
            .setPeer(
                PeerProto.newBuilder()
                    .setDatanodeUuid(peer.datanode())
                    .setAddress(peer.host())
                    .setPort(peer.port()))
            .setNear(near)
            .setRole(role);
    for (int block = 0; block < file.blocks().size(); block++) {
      if (file.blocks().get(block).replicas().contains(peer.datanode())) {
        neighbour.addReplicas(block);
      }
    }
    return neighbour.build();
  }

  private boolean isNear(Swarm swarm, TrackedPeer receiver, TrackedPeer other) {
    return switch (settings.get().topology()) {
      case FLAT -> true;
      case RACKS -> receiver.rack().equals(other.rack());
      case INFERRED -> swarm.teaches() || !racks.apart(receiver.datanode(), other.datanode());
    };
  }

  private List<TrackedPeer> flock(Swarm swarm, TrackedPeer receiver) {
    List<TrackedPeer> others = new ArrayList<>();
    for (Swarm.Member member : swarm.members()) {
      if (!member.datanode().equals(receiver.datanode())) {
        peers.alive(member.datanode()).ifPresent(others::add);
      }
    }
    return NeighbourChoice.choose(
        others, other -> isNear(swarm, receiver, other), settings.get().neighbours(), random);
  }

  private List<TrackedPeer> parent(Swarm swarm, Swarm.Member member) {
    int parent = settings.get().overlay().parent(member.rank());
    return swarm.members().stream()
        .filter(other -> other.rank() == parent)
        .flatMap(other -> peers.alive(other.datanode()).stream())
        .toList();
  }

  /** Peers with replicas: of every block some, if there are any, those that send least. */
  private Set<TrackedPeer> seeds(TrackedFile file) {
    List<List<TrackedPeer>> replicas =
        file.blocks().stream()
            .map(
                block ->
                    block.replicas().stream()
                        .flatMap(datanode -> peers.alive(datanode).stream())
                        .sorted(Comparator.comparingLong(peers::transmitted))
                        .toList())
            .toList();
    return SeedChoice.choose(replicas, REPLICAS, 2 * settings.get().neighbours());
  }
}
