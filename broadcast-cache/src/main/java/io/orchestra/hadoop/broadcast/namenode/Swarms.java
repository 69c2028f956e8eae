package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.AtomicLongMap;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.BroadcastConfig.Topology;
import io.orchestra.hadoop.broadcast.algorithm.NeighbourChoice;
import io.orchestra.hadoop.broadcast.algorithm.Overlay;
import io.orchestra.hadoop.broadcast.algorithm.Pieces;
import io.orchestra.hadoop.broadcast.algorithm.Scatter;
import io.orchestra.hadoop.broadcast.algorithm.SeedChoice;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocol;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All swarms of one NameNode, and all peers. Safe for concurrent use; HDFS is asked outside the
 * lock.
 */
final class Swarms implements SwarmTrackerProtocol {
  /**
   * How many replicas of a block a receiver is told of: as many as there are of a job's files
   * ({@code mapreduce.client.submit.file.replication}).
   */
  private static final int REPLICAS = 10;

  /** Replicas come and go. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private final String blockPool;
  private final Supplier<BroadcastConfig> settings;
  private final BooleanSupplier active;
  private final FileLookup lookup;
  private final PeerDirectory directory;
  private final LearnedRacks racks;
  private final LongSupplier clock;
  private final Random random;
  private final AtomicLongMap<String> declines = AtomicLongMap.create();

  // Guarded by this. DataNodes by UUID.
  private final Map<String, Peer> peers = new HashMap<>();
  private final Map<BlockKey, Swarm> swarms = new HashMap<>();
  private final Map<BlockKey, Swarm> byBlock = new HashMap<>();
  private long joins;
  private long announcements;

  private record Peer(TrackedPeer peer, long heard, long transmitted) {}

  /**
   * @param active whether this NameNode serves clients; its standbys have trackers, too
   * @param clock in nanoseconds
   */
  Swarms(
      String blockPool,
      Supplier<BroadcastConfig> settings,
      BooleanSupplier active,
      FileLookup lookup,
      PeerDirectory directory,
      LearnedRacks racks,
      LongSupplier clock,
      Random random) {
    this.blockPool = blockPool;
    this.settings = settings;
    this.active = active;
    this.lookup = lookup;
    this.directory = directory;
    this.racks = racks;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public JoinResponseProto join(JoinProto request) {
    if (!request.getBlockPool().equals(blockPool)) {
      return elsewhere("another block pool");
    }
    BlockKey block =
        new BlockKey(
            blockPool, request.getBlock().getId(), request.getBlock().getGenerationStamp());
    if (!active.getAsBoolean()) {
      return elsewhere("the NameNode is not active");
    }
    if (!settings.get().enabled()) {
      return declined("switched off");
    }
    Optional<TrackedPeer> receiver = hear(request.getSelf(), OptionalLong.empty());
    if (receiver.isEmpty()) {
      // Perhaps since this NameNode has begun only now.
      return notYet("an unknown DataNode");
    }
    try {
      Swarm swarm = find(block);
      if (swarm.file().length() < settings.get().minFileSize()) {
        return declined("a small file");
      }
      if (request.getClaimedCount() > 0 && isMember(swarm, receiver.get())) {
        return confirmed(swarm, receiver.get(), request.getClaimedList());
      }
      return isThere(swarm, receiver.get())
          ? joined(swarm, receiver.get())
          : notYet("no peer has it");
    } catch (FileLookup.Unsuitable e) {
      return declined(e.getMessage());
    } catch (IOException e) {
      // No longer active, or in safe mode: another one may answer.
      return elsewhere("the NameNode does not answer");
    }
  }

  private JoinResponseProto declined(String reason) {
    declines.incrementAndGet(reason);
    return answer(reason, false);
  }

  /** Another NameNode may know. */
  private JoinResponseProto elsewhere(String reason) {
    return answer(reason, true);
  }

  /** So it is now, whatever the file. */
  private JoinResponseProto notYet(String reason) {
    declines.incrementAndGet(reason);
    return answer(reason, true);
  }

  private JoinResponseProto answer(String reason, boolean elsewhere) {
    return JoinResponseProto.newBuilder()
        .setDeclined(reason)
        .setElsewhere(elsewhere)
        .setMinFileSize(settings.get().minFileSize())
        .build();
  }

  /** A peer has said something, perhaps also how much its host sends. */
  private Optional<TrackedPeer> hear(PeerProto said, OptionalLong transmitted) {
    Optional<TrackedPeer> found = directory.find(said.getDatanodeUuid(), said.getPort());
    long now = clock.getAsLong();
    synchronized (this) {
      Peer before = peers.get(said.getDatanodeUuid());
      long rate = transmitted.orElse(before == null ? 0 : before.transmitted());
      found.ifPresent(peer -> peers.put(peer.datanode(), new Peer(peer, now, rate)));
    }
    return found;
  }

  private Swarm find(BlockKey block) throws FileLookup.Unsuitable, IOException {
    synchronized (this) {
      Swarm known = byBlock.get(block);
      if (known != null && clock.getAsLong() - known.looked() < LOOK_AGAIN.toNanos()) {
        return known;
      }
    }
    TrackedFile file = lookup.find(block);
    long now = clock.getAsLong();
    synchronized (this) {
      Swarm swarm = swarms.get(file.name());
      if (swarm == null || !swarm.file().sameBlocks(file)) {
        forget(file.name());
        BroadcastConfig config = settings.get();
        int pieceLength = config.pieceSize().orElseGet(() -> Pieces.length(file.length()));
        boolean teaches = config.topology() == Topology.INFERRED && racks.nextTeaches();
        swarm = new Swarm(file, pieceLength, teaches, now);
        swarms.put(file.name(), swarm);
        for (TrackedFile.TrackedBlock own : file.blocks()) {
          byBlock.put(own.key(), swarm);
        }
      } else {
        swarm.renew(file, now);
      }
      return swarm;
    }
  }

  private void forget(BlockKey name) {
    Swarm old = swarms.remove(name);
    if (old != null) {
      old.file().blocks().forEach(block -> byBlock.remove(block.key(), old));
    }
  }

  /** Whether there is a peer, other than the receiver, that has some of it or will have it. */
  private synchronized boolean isThere(Swarm swarm, TrackedPeer receiver) {
    return swarm.members().stream()
            .anyMatch(
                other ->
                    !other.datanode().equals(receiver.datanode())
                        && alive(other.datanode()).isPresent())
        || swarm.file().blocks().stream()
            .allMatch(
                block ->
                    block.replicas().stream().anyMatch(datanode -> alive(datanode).isPresent()));
  }

  private synchronized boolean isMember(Swarm swarm, TrackedPeer receiver) {
    return swarm.contains(receiver.datanode());
  }

  /**
   * What a member asks often: it has the rest.
   *
   * @param claimed who say to it that they are members
   */
  private synchronized JoinResponseProto confirmed(
      Swarm swarm, TrackedPeer receiver, List<String> claimed) {
    joins++;
    swarm.join(receiver.datanode(), clock.getAsLong());
    JoinResponseProto.Builder response = JoinResponseProto.newBuilder();
    claimed.stream()
        .filter(swarm::contains)
        .flatMap(datanode -> alive(datanode).stream())
        .filter(other -> !other.equals(receiver))
        .distinct()
        .forEach(other -> response.addNeighbours(neighbour(swarm, receiver, other)));
    return response.build();
  }

  private NeighbourProto neighbour(Swarm swarm, TrackedPeer receiver, TrackedPeer other) {
    Role role = seeds(swarm.file()).contains(other) ? Role.SEED : Role.RECEIVER;
    return neighbour(swarm.file(), other, isNear(swarm, receiver, other), role);
  }

  private synchronized JoinResponseProto joined(Swarm swarm, TrackedPeer receiver) {
    joins++;
    long now = clock.getAsLong();
    Swarm.Member member = swarm.join(receiver.datanode(), now);
    boolean flock = settings.get().overlay() == Overlay.SWARM;
    JoinResponseProto.Builder response =
        JoinResponseProto.newBuilder()
            .setMinFileSize(settings.get().minFileSize())
            .setPieceLength(swarm.pieceLength())
            .setStart(Scatter.start(rankNearby(swarm, receiver, member)))
            .setMutual(flock)
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
      // The others are to be compared as they are.
      response
          .setReplication(swarm.file().replication())
          .addAllReplicas(NamedReplicas.of(swarm.file(), random));
      others.addAll(flock(swarm, receiver));
    } else {
      others.addAll(parent(swarm, member));
    }
    Set<TrackedPeer> seeds = seeds(swarm.file());
    Set<TrackedPeer> named = new HashSet<>(List.of(receiver));
    for (TrackedPeer other : others) {
      if (!named.add(other)) {
        continue;
      }
      Role role = seeds.contains(other) ? Role.SEED : Role.RECEIVER;
      response.addNeighbours(neighbour(swarm.file(), other, isNear(swarm, receiver, other), role));
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

  /** How many came before among those with whom a receiver shares what comes from far away. */
  private int rankNearby(Swarm swarm, TrackedPeer receiver, Swarm.Member member) {
    return (int)
        swarm.members().stream()
            .filter(other -> other.rank() < member.rank())
            .flatMap(other -> alive(other.datanode()).stream())
            .filter(other -> isNear(swarm, receiver, other))
            .count();
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
        alive(member.datanode()).ifPresent(others::add);
      }
    }
    return NeighbourChoice.choose(
        others, other -> isNear(swarm, receiver, other), settings.get().neighbours(), random);
  }

  private List<TrackedPeer> parent(Swarm swarm, Swarm.Member member) {
    int parent = settings.get().overlay().parent(member.rank());
    return swarm.members().stream()
        .filter(other -> other.rank() == parent)
        .flatMap(other -> alive(other.datanode()).stream())
        .toList();
  }

  /** Peers with replicas: of every block some, if there are any, those that send least. */
  private Set<TrackedPeer> seeds(TrackedFile file) {
    List<List<TrackedPeer>> replicas =
        file.blocks().stream()
            .map(
                block ->
                    block.replicas().stream()
                        .flatMap(datanode -> alive(datanode).stream())
                        .sorted(
                            Comparator.comparingLong(
                                peer -> peers.get(peer.datanode()).transmitted()))
                        .toList())
            .toList();
    return SeedChoice.choose(replicas, REPLICAS, 2 * settings.get().neighbours());
  }

  private Optional<TrackedPeer> alive(String datanode) {
    Peer peer = peers.get(datanode);
    return peer == null || clock.getAsLong() - peer.heard() > silence().toNanos()
        ? Optional.empty()
        : Optional.of(peer.peer());
  }

  /** After which a peer counts as gone. */
  private Duration silence() {
    return settings.get().announceInterval().multipliedBy(3);
  }

  @Override
  public AnnounceResponseProto announce(AnnounceProto request) {
    AnnounceResponseProto.Builder response = AnnounceResponseProto.newBuilder();
    String datanode = request.getSelf().getDatanodeUuid();
    OptionalLong transmitted =
        request.hasTransmitted() ? OptionalLong.of(request.getTransmitted()) : OptionalLong.empty();
    // A standby knows the peers, so that it can take over at once, and is told of swarms then.
    if (hear(request.getSelf(), transmitted).isEmpty() || !active.getAsBoolean()) {
      return response.build();
    }
    long now = clock.getAsLong();
    synchronized (this) {
      announcements++;
      for (SwarmProto said : request.getSwarmsList()) {
        if (!said.getBlockPool().equals(blockPool)) {
          continue;
        }
        BlockKey name =
            new BlockKey(
                blockPool, said.getFirstBlock().getId(), said.getFirstBlock().getGenerationStamp());
        Swarm swarm = swarms.get(name);
        if (swarm == null) {
          response.addUnknown(name.id());
        } else {
          if (swarm.teaches()) {
            learn(datanode, said.getTransfersList());
          }
          swarm.heard(
              datanode,
              said.getPieces(),
              said.getPresent(),
              said.getBytesFromSeeds(),
              said.getBytesFromPeers(),
              said.getCorrupt(),
              now);
        }
      }
    }
    return response.build();
  }

  private void learn(String receiver, List<TransferProto> transfers) {
    for (TransferProto transfer : transfers) {
      if (peers.containsKey(transfer.getFromUuid())) {
        racks.learn(transfer.getFromUuid(), receiver, transfer.getBytes(), transfer.getMillis());
      }
    }
  }

  /** Forgets peers that are gone, receivers that no longer have a file, and swarms without any. */
  synchronized void sweep() {
    long now = clock.getAsLong();
    peers.values().removeIf(peer -> now - peer.heard() > silence().toNanos());
    swarms.values().forEach(swarm -> swarm.forget(now - silence().toNanos()));
    List<BlockKey> empty = new ArrayList<>();
    swarms.forEach(
        (name, swarm) -> {
          if (swarm.members().isEmpty() && now - swarm.looked() > LOOK_AGAIN.toNanos()) {
            empty.add(name);
          }
        });
    empty.forEach(this::forget);
  }

  synchronized List<Swarm> swarms() {
    return ImmutableList.copyOf(swarms.values());
  }

  synchronized List<TrackedPeer> peers() {
    return peers.values().stream().map(Peer::peer).toList();
  }

  /** How often a receiver was sent back to HDFS, by reason. */
  Map<String, Long> declines() {
    return declines.asMap();
  }

  synchronized long joins() {
    return joins;
  }

  synchronized long announcements() {
    return announcements;
  }
}
