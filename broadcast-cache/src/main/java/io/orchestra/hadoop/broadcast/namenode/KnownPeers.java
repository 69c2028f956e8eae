package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Peers that have said something of late, by UUID of their DataNodes. For one thread at a time. */
final class KnownPeers {
  private record Known(TrackedPeer peer, long heard, long transmitted) {}

  private final LongSupplier silence;
  private final LongSupplier clock;
  private final Map<String, Known> known = new HashMap<>();

  /**
   * @param silence nanoseconds after which a peer counts as gone
   * @param clock in nanoseconds
   */
  KnownPeers(LongSupplier silence, LongSupplier clock) {
    this.silence = silence;
    this.clock = clock;
  }

  /**
   * A peer has said something.
   *
   * @param transmitted bytes per second that its host sends, if it has said so
   */
  void hear(TrackedPeer peer, OptionalLong transmitted) {
    long rate = transmitted.orElse(transmitted(peer));
    known.put(peer.datanode(), new Known(peer, clock.getAsLong(), rate));
  }

  Optional<TrackedPeer> alive(String datanode) {
    return Optional.ofNullable(known.get(datanode)).filter(this::isAlive).map(Known::peer);
  }

  private boolean isAlive(Known peer) {
    return clock.getAsLong() - peer.heard() <= silence.getAsLong();
  }

  /** Also those that may be gone. */
  boolean contains(String datanode) {
    return known.containsKey(datanode);
  }

  /** What its host sends, bytes per second; 0 if that is not known. */
  long transmitted(TrackedPeer peer) {
    Known said = known.get(peer.datanode());
    return said == null ? 0 : said.transmitted();
  }

  /** Forgets those that are gone. */
  void sweep() {
    known.values().removeIf(peer -> !isAlive(peer));
  }

  List<TrackedPeer> all() {
    return known.values().stream().map(Known::peer).collect(ImmutableList.toImmutableList());
  }
}
