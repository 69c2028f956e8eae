package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whom a download is connected to, or about to be, and whom it has heard of. DataNodes by UUID.
 *
 * <p>Safe for concurrent use.
 */
final class Acquaintances {
  /** Between two looks at them, which is a fraction of a second. */
  private static final int MOST_CLAIMS = 1000;

  private final int mostReceivers;
  private final Predicate<String> isBannedElsewhere;

  // Guarded by this.
  private final Map<String, NeighbourConnection> connected = new LinkedHashMap<>();
  private final Set<String> connecting = new HashSet<>();

  /** Each with the piece of which it has sent other bytes. */
  private final Map<String, Integer> banned = new HashMap<>();

  private final Set<String> claims = new LinkedHashSet<>();
  private final Set<String> seeds = new HashSet<>();
  private final Set<String> refusals = new HashSet<>();
  private boolean closed;

  /**
   * @param mostReceivers connections to receivers; those to replicas are not limited
   * @param isBannedElsewhere whether a DataNode is not to be connected to, whatever the file
   */
  Acquaintances(int mostReceivers, Predicate<String> isBannedElsewhere) {
    this.mostReceivers = mostReceivers;
    this.isBannedElsewhere = isBannedElsewhere;
  }

  /**
   * A connection to it is under way from now on, until {@link #connected} or {@link #notConnected}.
   *
   * @return false if it is not to be connected to: it is already, has sent what was wrong, there
   *     are enough, or nobody is needed any more
   */
  synchronized boolean begin(String datanode, Role role) {
    if (role != Role.RECEIVER) {
      seeds.add(datanode);
    }
    return !closed
        && !isBanned(datanode)
        && !connected.containsKey(datanode)
        && (role != Role.RECEIVER || receivers() < mostReceivers)
        && connecting.add(datanode);
  }

  private boolean isBanned(String datanode) {
    return banned.containsKey(datanode) || isBannedElsewhere.test(datanode);
  }

  /** Those under way count too: which of them are replicas is not known yet. */
  private int receivers() {
    return connecting.size()
        + (int) connected.values().stream().filter(other -> other.role() == Role.RECEIVER).count();
  }

  /**
   * @return false if there is a connection to it already, or nobody is needed any more
   */
  synchronized boolean connected(NeighbourConnection neighbour) {
    String datanode = neighbour.address().datanode();
    connecting.remove(datanode);
    return !closed && connected.putIfAbsent(datanode, neighbour) == null;
  }

  synchronized void notConnected(String datanode) {
    connecting.remove(datanode);
  }

  synchronized void left(NeighbourConnection neighbour) {
    String datanode = neighbour.address().datanode();
    if (neighbour.hasRefused()) {
      refusals.add(datanode);
    }
    connected.remove(datanode, neighbour);
  }

  /** It is never connected to again: it has sent other bytes than those of a piece. */
  synchronized void ban(String datanode, int piece) {
    banned.put(datanode, piece);
  }

  /**
   * A piece has come with the right checksum.
   *
   * @return who has sent other bytes of it; so it was not the checksum that was wrong
   */
  synchronized List<String> convicted(int piece) {
    return banned.entrySet().stream()
        .filter(liar -> liar.getValue() == piece)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** It has come and said that it is in the swarm. */
  synchronized void claimed(String datanode) {
    if (!closed && claims.size() < MOST_CLAIMS && !connected.containsKey(datanode)) {
      claims.add(datanode);
    }
  }

  /** Of those who have claimed so since the last call, as many as may still be connected to. */
  synchronized List<String> takeClaims() {
    List<String> taken =
        claims.stream()
            .filter(datanode -> !isBanned(datanode) && !connecting.contains(datanode))
            .limit(Math.max(0, mostReceivers - receivers()))
            .toList();
    claims.clear();
    return taken;
  }

  synchronized List<NeighbourConnection> connections() {
    return List.copyOf(connected.values());
  }

  /** Whether any of them has said that it has nothing. */
  synchronized boolean hasAnyoneRefused() {
    return !refusals.isEmpty()
        || connected.values().stream().anyMatch(NeighbourConnection::hasRefused);
  }

  /** Whether all who have replicas, as the tracker says, have said that they have nothing. */
  synchronized boolean haveAllSeedsRefused() {
    return !seeds.isEmpty() && refusals.containsAll(seeds);
  }

  /** Nobody is needed any more. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    connections().forEach(NeighbourConnection::leave);
  }
}
