package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.BroadcastConfig.Topology;
import io.orchestra.hadoop.broadcast.algorithm.Pieces;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocol;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.daemon.LogText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All swarms of one NameNode, and all peers. Safe for concurrent use; HDFS is asked outside the
 * lock.
 */
final class Swarms implements SwarmTrackerProtocol {
  /** Of 256 blocks each at most. */
  private static final int MOST_SWARMS = 10_000;

  private static final String SMALL = "a small file";

  /** Replicas come and go. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  /** Those of some block are yet to be reported, as after a restart; nobody else knows its sums. */
  private static final Duration LOOK_AGAIN_SOON = Duration.ofSeconds(1);

  /**
   * After a failover. A peer joins one after the other again, and must tell in between that it is
   * there.
   */
  private static final int MOST_UNKNOWN = 20;

  private final String blockPool;
  private final Supplier<BroadcastConfig> settings;
  private final BooleanSupplier active;
  private final FileLookup lookup;
  private final PeerDirectory directory;
  private final LearnedRacks racks;
  private final LongSupplier clock;
  private final Declines declines = new Declines();

  /** Paths by block: whoever asks for them again, as many hosts do, costs no look-up. */
  private final Cache<BlockKey, String> smallFiles;

  // Guarded by this.
  private final KnownPeers peers;
  private final Introductions introductions;
  private final Map<BlockKey, Swarm> swarms = new HashMap<>();
  private final Map<BlockKey, Swarm> byBlock = new HashMap<>();
  private long joins;
  private long announcements;

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
    smallFiles =
        CacheBuilder.newBuilder()
            .maximumSize(MOST_SWARMS)
            .expireAfterWrite(LOOK_AGAIN)
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return clock.getAsLong();
                  }
                })
            .build();
    peers = new KnownPeers(this::silence, clock);
    introductions = new Introductions(settings, peers, racks, random);
  }

  @Override
  public JoinResponseProto join(JoinProto request) {
    if (!request.getBlockPool().equals(blockPool)) {
      return bystander("another block pool");
    }
    BlockKey block = key(request.getBlock());
    if (!active.getAsBoolean()) {
      return bystander("the NameNode is not active");
    }
    if (!isEnabled()) {
      return declined(request, "", "switched off");
    }
    Optional<TrackedPeer> receiver = hear(request.getSelf(), OptionalLong.empty());
    if (receiver.isEmpty()) {
      // Perhaps since this NameNode has begun only now.
      return notYet(request, "", "an unknown DataNode");
    }
    try {
      Swarm swarm = find(block);
      String path = swarm.file().path();
      if (swarm.file().length() < settings.get().minFileSize()) {
        return declined(request, path, SMALL);
      }
      if (request.getClaimedCount() > 0 && isMember(swarm, receiver.get())) {
        return confirm(swarm, receiver.get(), request.getClaimedList());
      }
      return isThere(swarm, receiver.get())
          ? introduce(swarm, receiver.get())
          : notYet(request, path, "no peer has it");
    } catch (FileLookup.Unsuitable e) {
      return declined(request, e.path(), e.getMessage());
    } catch (IOException e) {
      // Its lock is held for long: others would wait in vain, too.
      return elsewhere("the NameNode does not answer").toBuilder().setBusy(true).build();
    }
  }

  private BlockKey key(BlockProto block) {
    return new BlockKey(blockPool, block.getId(), block.getGenerationStamp());
  }

  private JoinResponseProto declined(JoinProto request, String path, String reason) {
    remember(request, path, reason);
    return answer(reason, false);
  }

  private void remember(JoinProto request, String path, String reason) {
    BlockKey block = key(request.getBlock());
    // Perhaps no DataNode's.
    String datanode = LogText.of(request.getSelf().getDatanodeUuid());
    declines.add(new Declines.Decline(clock.getAsLong(), datanode, block, path, reason));
  }

  /** Another NameNode decides. */
  private JoinResponseProto bystander(String reason) {
    return elsewhere(reason).toBuilder().setBystander(true).build();
  }

  /** Another NameNode may know. */
  private JoinResponseProto elsewhere(String reason) {
    return answer(reason, true);
  }

  /** So it is now, whatever the file. */
  private JoinResponseProto notYet(JoinProto request, String path, String reason) {
    remember(request, path, reason);
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
    synchronized (this) {
      found.ifPresent(peer -> peers.hear(peer, transmitted));
    }
    return found;
  }

  private Swarm find(BlockKey block) throws FileLookup.Unsuitable, IOException {
    synchronized (this) {
      Swarm known = byBlock.get(block);
      if (known != null && isFresh(known)) {
        return known;
      }
    }
    String smallFile = smallFiles.getIfPresent(block);
    if (smallFile != null) {
      throw new FileLookup.Unsuitable(SMALL, smallFile);
    }
    TrackedFile file = lookup.find(block);
    if (file.length() < settings.get().minFileSize()) {
      smallFiles.put(block, file.path());
      throw new FileLookup.Unsuitable(SMALL, file.path());
    }
    long now = clock.getAsLong();
    synchronized (this) {
      Swarm swarm = swarms.get(file.name());
      if (swarm == null && swarms.size() >= MOST_SWARMS) {
        forgetWithoutMembers(now);
      }
      if (swarm == null && swarms.size() >= MOST_SWARMS) {
        throw new FileLookup.Unsuitable("more files than a tracker remembers", file.path());
      }
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

  private boolean isFresh(Swarm swarm) {
    Duration lifetime = swarm.file().replication() == 0 ? LOOK_AGAIN_SOON : LOOK_AGAIN;
    return clock.getAsLong() - swarm.looked() < lifetime.toNanos();
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
                        && peers.alive(other.datanode()).isPresent())
        || swarm.file().blocks().stream()
            .allMatch(
                block ->
                    block.replicas().stream()
                        .anyMatch(datanode -> peers.alive(datanode).isPresent()));
  }

  private synchronized JoinResponseProto introduce(Swarm swarm, TrackedPeer receiver) {
    joins++;
    Swarm.Member member = swarm.join(receiver.datanode(), clock.getAsLong());
    return introductions.all(swarm, receiver, member);
  }

  private synchronized JoinResponseProto confirm(
      Swarm swarm, TrackedPeer receiver, List<String> claimed) {
    joins++;
    Swarm.Member unused = swarm.join(receiver.datanode(), clock.getAsLong());
    return introductions.ofThose(claimed, swarm, receiver);
  }

  private synchronized boolean isMember(Swarm swarm, TrackedPeer receiver) {
    return swarm.contains(receiver.datanode());
  }

  /**
   * Nanoseconds after which a peer counts as gone. It tells all NameNodes at once, and again when
   * they have answered: one that does not answer holds it up for as long as it waits for an answer.
   */
  private long silence() {
    BroadcastConfig config = settings.get();
    // Asked for each peer of a swarm: to multiply, Duration makes decimals of it.
    return 3 * config.announceInterval().toNanos() + config.joinTimeout().toNanos();
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
        BlockKey name = key(said.getFirstBlock());
        Swarm swarm = swarms.get(name);
        if (swarm == null) {
          if (response.getUnknownCount() < MOST_UNKNOWN) {
            response.addUnknown(name.id());
          }
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
      if (peers.contains(transfer.getFromUuid())) {
        racks.learn(transfer.getFromUuid(), receiver, transfer.getBytes(), transfer.getMillis());
      }
    }
  }

  /** Forgets peers that are gone, receivers that no longer have a file, and swarms without any. */
  synchronized void sweep() {
    long now = clock.getAsLong();
    peers.sweep();
    swarms.values().forEach(swarm -> swarm.forget(now - silence()));
    forgetWithoutMembers(now - LOOK_AGAIN.toNanos());
  }

  /**
   * @param looked last before this time, nanoseconds
   */
  private void forgetWithoutMembers(long looked) {
    List<BlockKey> empty = new ArrayList<>();
    swarms.forEach(
        (name, swarm) -> {
          if (swarm.members().isEmpty() && swarm.looked() - looked < 0) {
            empty.add(name);
          }
        });
    empty.forEach(this::forget);
  }

  synchronized List<Swarm> swarms() {
    return ImmutableList.copyOf(swarms.values());
  }

  synchronized List<TrackedPeer> peers() {
    return peers.all();
  }

  /** What a peer's host sends, bytes per second; 0 if that is not known. */
  synchronized long transmitted(TrackedPeer peer) {
    return peers.transmitted(peer);
  }

  /** Whether receivers are let in. */
  boolean isEnabled() {
    return settings.get().enabled();
  }

  /** How often a receiver was sent back to HDFS, by reason. */
  Map<String, Long> declines() {
    return declines.counts();
  }

  /** Those who were sent back of late, the latest first. */
  List<Declines.Decline> recentDeclines() {
    return declines.recent();
  }

  /** How long ago something was, nanoseconds. */
  long since(long time) {
    return clock.getAsLong() - time;
  }

  synchronized long joins() {
    return joins;
  }

  synchronized long announcements() {
    return announcements;
  }
}
