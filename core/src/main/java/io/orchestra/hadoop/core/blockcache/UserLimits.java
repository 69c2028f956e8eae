package io.orchestra.hadoop.core.blockcache;

import java.util.HashMap;
import java.util.Map;

/**
 * How many clients each user of the host has at a cache, so that nobody can take all places. Safe
 * for concurrent use.
 */
final class UserLimits {
  private final int connections;
  private final int connectionsPerUser;

  // Guarded by this.
  private final Map<String, Integer> connected = new HashMap<>();
  private int all;

  UserLimits(BlockCacheConfig config) {
    connections = config.connections();
    connectionsPerUser = config.connectionsPerUser();
  }

  /**
   * Takes a connection; {@link #disconnect} gives it back.
   *
   * @return false if there are too many
   */
  synchronized boolean connect(String user) {
    if (all >= connections || connected.getOrDefault(user, 0) >= connectionsPerUser) {
      return false;
    }
    all++;
    connected.merge(user, 1, Integer::sum);
    return true;
  }

  synchronized void disconnect(String user) {
    all--;
    connected.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }
}
