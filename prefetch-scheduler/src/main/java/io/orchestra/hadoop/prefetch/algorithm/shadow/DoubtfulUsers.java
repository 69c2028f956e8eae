package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.EvictingQueue;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Users whose launches are mostly foretold wrongly, so that prefetches for them would be in vain.
 * Each user's count apart: one's jobs may do what the shadow does not know. Not safe for concurrent
 * use.
 */
public final class DoubtfulUsers {
  /** So many launches of a user count, the last ones. */
  private static final int MEMORY = 16;

  /** So many wrong ones tell something. */
  private static final int ENOUGH = 4;

  /** Nobody is doubted for longer without another launch that was foretold. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final int MOST_USERS = 10_000;

  private final double leastPrecision;

  /** Of the last launches of each user that were foretold, whether they came so. */
  private final Cache<String, Queue<Boolean>> launches;

  /**
   * @param leastPrecision part of a user's launches that come as foretold: with less there are
   *     doubts
   * @param clock nanoseconds
   */
  public DoubtfulUsers(double leastPrecision, LongSupplier clock) {
    this.leastPrecision = leastPrecision;
    launches =
        CacheBuilder.newBuilder()
            .maximumSize(MOST_USERS)
            .expireAfterWrite(LONGEST)
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return clock.getAsLong();
                  }
                })
            .build();
  }

  /**
   * A task was launched that was foretold, early enough to bring something.
   *
   * @param right whether it came as foretold
   */
  public void launched(String user, boolean right) {
    Queue<Boolean> known = launches.getIfPresent(user);
    Queue<Boolean> last = known == null ? EvictingQueue.create(MEMORY) : known;
    last.add(right);
    launches.put(user, last);
  }

  /** Their names. */
  public Set<String> names() {
    return launches.asMap().entrySet().stream()
        .filter(each -> isPoor(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isPoor(Queue<Boolean> last) {
    return Collections.frequency(last, false) >= ENOUGH
        && Collections.frequency(last, true) < leastPrecision * last.size();
  }
}
