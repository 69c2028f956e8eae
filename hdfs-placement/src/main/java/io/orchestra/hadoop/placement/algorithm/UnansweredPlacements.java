package io.orchestra.hadoop.placement.algorithm;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds hosts that take no data although replicas are placed on them.
 *
 * <p>A host whose data port is dead looks like the idlest of all, and a policy that seeks idle
 * links would choose it again and again. What was placed on it must be answered: by a block that
 * the host is receiving or has, or by {@value #ENOUGH} bytes more than the host received before. A
 * host that leaves its placements unanswered is not trusted for a while, and twice as long each
 * time, until it answers; one that nobody hears of, or that was not looked at, is not judged. The
 * paper has no such rule; its chosen hosts always work.
 *
 * <p>Safe for concurrent use.
 */
public final class UnansweredPlacements {
  private static final long ENOUGH = 1 << 20;

  private static final class Host {
    private long blocks = -1;
    private OptionalDouble received = OptionalDouble.empty();
    private OptionalLong observed = OptionalLong.empty();
    private long interval;
    private int unanswered;
    private long since;
    private long patience;
    private double receivedBefore;
    private double excess;
    private long banned;
    private long bannedUntil;

    /** From now on an answer is expected. */
    private void await(long now) {
      since = now;
      receivedBefore = received.orElse(0);
      excess = 0;
    }
  }

  private final long patience;
  private final long shortestBan;
  private final long longestBan;
  private final Map<String, Host> hosts = new HashMap<>();

  /**
   * @param patience how long a placement may usually stay unanswered
   * @param shortestBan how long a host is not trusted the first time
   * @param longestBan the most it grows to
   */
  public UnansweredPlacements(Duration patience, Duration shortestBan, Duration longestBan) {
    this.patience = patience.toNanos();
    this.shortestBan = shortestBan.toNanos();
    this.longestBan = longestBan.toNanos();
  }

  /** A replica was placed on this host. */
  public void placed(String name, long now) {
    placed(name, patience, now);
  }

  /** A replica was placed on this host, and may be on its way for so long. */
  public void placed(String name, Duration patience, long now) {
    placed(name, patience.toNanos(), now);
  }

  private synchronized void placed(String name, long patience, long now) {
    Host host = hosts.computeIfAbsent(name, key -> new Host());
    if (host.unanswered == 0 || now + patience < host.since + host.patience) {
      host.patience = patience;
      host.await(now);
    }
    host.unanswered++;
  }

  /**
   * Looks at a host once an interval.
   *
   * @param blocks how many it stores
   * @param received bytes per second, lately; empty if the host does not say, which is no proof
   *     against it
   * @param receiving whether blocks grow on it now
   * @return how many placements it left unanswered if it has just lost trust, else 0
   */
  public synchronized int observe(
      String name, long blocks, OptionalDouble received, boolean receiving, long now) {
    Host host = hosts.computeIfAbsent(name, key -> new Host());
    boolean hasMoreBlocks = host.blocks >= 0 && blocks > host.blocks;
    long unobserved = now - host.observed.orElse(now);
    boolean isBlind =
        received.isEmpty()
            || host.received.isEmpty()
            || unobserved > Math.max(patience / 2, 2 * host.interval);
    host.blocks = blocks;
    host.received = received;
    host.observed = OptionalLong.of(now);
    host.interval = unobserved;
    if (isBlind) {
      // Answers may have gone unnoticed.
      host.await(now);
    } else {
      double more = Math.max(0, received.getAsDouble() - host.receivedBefore);
      host.excess += more * unobserved / 1e9;
    }
    if (hasMoreBlocks || receiving || (host.unanswered > 0 && host.excess >= ENOUGH)) {
      host.unanswered = 0;
      host.banned = 0;
      host.bannedUntil = 0;
      return 0;
    }
    if (host.unanswered == 0 || now - host.since < host.patience) {
      return 0;
    }
    int unanswered = host.unanswered;
    host.unanswered = 0;
    host.banned = Math.min(longestBan, Math.max(shortestBan, 2 * host.banned));
    host.bannedUntil = now + host.banned;
    return unanswered;
  }

  public synchronized boolean isTrusted(String name, long now) {
    Host host = hosts.get(name);
    return host == null || host.banned == 0 || now - host.bannedUntil >= 0;
  }

  /** Forgets all other hosts. */
  public synchronized void retain(Set<String> names) {
    hosts.keySet().retainAll(names);
  }
}
