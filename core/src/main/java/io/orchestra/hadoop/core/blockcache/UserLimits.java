package io.orchestra.hadoop.core.blockcache;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Table;
import com.google.common.util.concurrent.RateLimiter;
import io.orchestra.hadoop.core.daemon.LogText;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each user of the host has of a cache: how many clients, and bytes of how many blocks they
 * keep from being evicted. So nobody can take all of it. Safe for concurrent use.
 */
final class UserLimits {
  static final String TOO_MUCH = "too much for one user";

  private static final Logger LOG = LoggerFactory.getLogger(UserLimits.class);

  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);
  private final int connectionsPerUser;
  private final long bytesPerUser;

  // Guarded by this.
  private final Multiset<String> connected = HashMultiset.create();

  /** How often a user holds a block. */
  private final Table<String, CachedBlock, Integer> held = HashBasedTable.create();

  UserLimits(BlockCacheConfig config) {
    connectionsPerUser = config.connectionsPerUser();
    bytesPerUser = (long) (config.capacity() * config.sharePerUser());
  }

  /**
   * Takes a connection; {@link #disconnect} gives it back.
   *
   * @return false if the user has too many
   */
  synchronized boolean connect(String user) {
    return connected.count(user) < connectionsPerUser && connected.add(user);
  }

  synchronized void disconnect(String user) {
    connected.remove(user);
  }

  /**
   * Lets a user hold a block; {@link #release} gives it back. A block counts once, however many
   * clients of the user hold it.
   *
   * @return false if the user holds too many bytes
   */
  synchronized boolean hold(String user, CachedBlock block) {
    Map<CachedBlock, Integer> own = held.row(user);
    if (!own.containsKey(block) && bytes(own) + bytes(block) > bytesPerUser) {
      return false;
    }
    own.merge(block, 1, Integer::sum);
    return true;
  }

  /** Whether {@link #hold} would let a user hold a block, before it is brought. */
  synchronized boolean mayHold(String user, BlockKey key, long length) {
    Map<CachedBlock, Integer> own = held.row(user);
    return bytes(own) + length <= bytesPerUser
        || own.keySet().stream().anyMatch(block -> block.key().equals(key));
  }

  /** Tells an operator what can be done for a user who may not hold a block. */
  synchronized void tellRefused(String user, String path, long length) {
    if (warnings.tryAcquire()) {
      LOG.warn(
          "{} is read from HDFS: {}: a block of {} bytes, while {} holds {} bytes of {}. Raise {}capacity or {}share-per-user (told at most once a minute)",
          LogText.of(path),
          TOO_MUCH,
          length,
          user,
          bytes(held.row(user)),
          bytesPerUser,
          BlockCacheConfig.PREFIX,
          BlockCacheConfig.PREFIX);
    }
  }

  synchronized void release(String user, CachedBlock block) {
    held.row(user).computeIfPresent(block, (same, times) -> times == 1 ? null : times - 1);
  }

  private static long bytes(Map<CachedBlock, Integer> blocks) {
    return blocks.keySet().stream().mapToLong(UserLimits::bytes).sum();
  }

  private static long bytes(CachedBlock block) {
    return block.pieces().blockLength();
  }
}
