package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers that have sent wrong pieces of some file: a bad disk, memory or link is bad for others,
 * too. They are asked for no file for a few minutes. Safe for concurrent use.
 */
final class BannedPeers {
  private static final Logger LOG = LoggerFactory.getLogger(BannedPeers.class);
  private static final Duration SHORT_WHILE = Duration.ofMinutes(5);
  private static final int MOST = 1000;

  private final Cache<String, Boolean> datanodes;

  BannedPeers(Ticker clock) {
    datanodes =
        CacheBuilder.newBuilder()
            .maximumSize(MOST)
            .expireAfterWrite(SHORT_WHILE)
            .ticker(clock)
            .build();
  }

  /**
   * A peer has sent a wrong piece, which another one has sent right.
   *
   * @param datanode UUID
   */
  void ban(String datanode) {
    datanodes.put(datanode, true);
    LOG.warn(
        "DataNode {} has sent a wrong piece, and is asked for no file for {} s",
        datanode,
        SHORT_WHILE.toSeconds());
  }

  boolean contain(String datanode) {
    return datanodes.getIfPresent(datanode) != null;
  }
}
