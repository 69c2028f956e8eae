package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.concurrent.Semaphore;

/**
 * Permits of which no host has more than half, so that one that does nothing with them leaves some
 * for the others. Safe for concurrent use.
 */
final class HostShares {
  private final Semaphore all;
  private final LoadingCache<String, Semaphore> hosts;

  /** The permits that one host may have. */
  record Share(Semaphore own, Semaphore all) {
    boolean tryTake() {
      if (!own.tryAcquire()) {
        return false;
      }
      if (!all.tryAcquire()) {
        own.release();
        return false;
      }
      return true;
    }

    /** Waits for one; who came first gets it first. */
    void take() throws InterruptedException {
      own.acquire();
      try {
        all.acquire();
      } catch (InterruptedException e) {
        own.release();
        throw e;
      }
    }

    void giveBack() {
      all.release();
      own.release();
    }
  }

  HostShares(int permits) {
    all = new Semaphore(permits, true);
    int half = (permits + 1) / 2;
    hosts =
        CacheBuilder.newBuilder()
            .weakValues()
            .build(CacheLoader.from(host -> new Semaphore(half, true)));
  }

  Share of(String host) {
    return new Share(hosts.getUnchecked(host), all);
  }
}
