package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what did not come, so that readers do not wait in vain again: each file for a minute,
 * and all files if several in a row brought nothing at all, which no file is to blame for. Safe for
 * concurrent use.
 */
final class FailedSwarms {
  private static final Logger LOG = LoggerFactory.getLogger(FailedSwarms.class);
  private static final Duration SHORT_WHILE = Duration.ofMinutes(1);
  private static final int IN_A_ROW = 2;
  private static final int MOST_DOUBLINGS = 4;

  private final Ticker clock;
  private final Cache<BlockKey, Boolean> blocks;

  // Guarded by this.
  private int fruitless;
  private long pausedUntil;
  private boolean paused;

  FailedSwarms(Ticker clock) {
    this.clock = clock;
    blocks =
        CacheBuilder.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(SHORT_WHILE)
            .ticker(clock)
            .build();
  }

  /** Whether a block is to be left to HDFS. */
  synchronized boolean avoids(BlockKey block) {
    return paused && pausedUntil - clock.read() > 0 || blocks.getIfPresent(block) != null;
  }

  /**
   * A file was given up.
   *
   * @param broughtNothing whether no piece of it came
   */
  synchronized void failed(List<BlockKey> file, boolean broughtNothing) {
    file.forEach(block -> blocks.put(block, true));
    fruitless = broughtNothing ? fruitless + 1 : 0;
    if (fruitless >= IN_A_ROW) {
      Duration pause =
          SHORT_WHILE.multipliedBy(1L << Math.min(MOST_DOUBLINGS, fruitless - IN_A_ROW));
      pausedUntil = clock.read() + pause.toNanos();
      paused = true;
      LOG.warn(
          "{} files in a row brought nothing from any peer: all files are read from HDFS for {} s. Can DataNodes"
              + " reach each other's peer port?",
          fruitless,
          pause.toSeconds());
    }
  }

  /** A piece came. */
  synchronized void succeeded() {
    fruitless = 0;
    paused = false;
  }
}
