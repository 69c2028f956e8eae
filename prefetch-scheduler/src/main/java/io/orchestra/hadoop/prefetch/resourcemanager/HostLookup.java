package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * Looks up whether the host that a caller names has the caller's address. Callers may name any
 * host, and a thread that waits for a slow name serves nobody. So one name is looked up at a time
 * for each address, none for some seconds after one that was not its own, and for all addresses
 * together only so many at a time. Safe for concurrent use.
 */
final class HostLookup {
  /** As long as a JVM remembers that a name is unknown; sooner it would say so again. */
  private static final Duration REST = Duration.ofSeconds(10);

  /** For the names of others, of which most take milliseconds. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private static final int MOST_RESTING = 10_000;

  private final Semaphore lookups;
  private final Function<String, Optional<InetAddress>> names;
  private final Set<InetAddress> asking = ConcurrentHashMap.newKeySet();
  private final Cache<InetAddress, Boolean> resting;

  /**
   * @param most names that are looked up at a time
   */
  HostLookup(int most) {
    this(
        most,
        host -> Optional.ofNullable(NetUtils.createSocketAddrForHost(host, 0).getAddress()),
        Ticker.systemTicker());
  }

  /**
   * @param names of hosts; empty if there is no such host
   */
  @VisibleForTesting
  HostLookup(int most, Function<String, Optional<InetAddress>> names, Ticker clock) {
    lookups = new Semaphore(most);
    this.names = names;
    resting =
        CacheBuilder.newBuilder()
            .maximumSize(MOST_RESTING)
            .expireAfterWrite(REST)
            .ticker(clock)
            .build();
  }

  /**
   * Whether a host has an address, or both are of this machine.
   *
   * @throws IOException if it is not looked up now
   */
  boolean isAt(InetAddress address, String host) throws IOException {
    if (resting.getIfPresent(address) != null || !asking.add(address)) {
      throw later(address);
    }
    try {
      return isAtInTurn(address, host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a host was looked up");
    } finally {
      asking.remove(address);
    }
  }

  private boolean isAtInTurn(InetAddress address, String host)
      throws IOException, InterruptedException {
    if (!lookups.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw later(address);
    }
    try {
      boolean isItsOwn = names.apply(host).filter(known -> areOne(known, address)).isPresent();
      if (!isItsOwn) {
        resting.put(address, true);
      }
      return isItsOwn;
    } finally {
      lookups.release();
    }
  }

  private static boolean areOne(InetAddress known, InetAddress address) {
    return known.equals(address)
        || (NetUtils.isLocalAddress(known) && NetUtils.isLocalAddress(address));
  }

  private static AccessControlException later(InetAddress address) {
    return new AccessControlException(
        "no host is looked up for %s now: ask again in a few seconds"
            .formatted(address.getHostAddress()));
  }
}
