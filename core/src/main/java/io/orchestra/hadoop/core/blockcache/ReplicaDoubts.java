package io.orchestra.hadoop.core.blockcache;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas that have given wrong bytes, and are looked at again one after the other: a source may
 * be slow, and a NameNode that does not answer is waited for for minutes. What is too much is
 * forgotten. Safe for concurrent use.
 *
 * <p>Of a block, one replica is told of in an hour. To a host whose memory or network card is bad
 * all of them seem corrupt; HDFS's clients, too, do not report a block of which they could read no
 * replica.
 *
 * @param <F> what is wrong with a replica
 */
final class ReplicaDoubts<F> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaDoubts.class);
  private static final int MOST = 100;
  private static final Duration PAUSE = Duration.ofHours(1);
  private static final int MOST_TOLD = 10_000;

  private final Executor thread;
  private final Cache<BlockKey, Boolean> told =
      CacheBuilder.newBuilder().maximumSize(MOST_TOLD).expireAfterWrite(PAUSE).build();

  ReplicaDoubts() {
    this(thread());
  }

  /**
   * @param thread runs one after the other
   */
  @VisibleForTesting
  ReplicaDoubts(Executor thread) {
    this.thread = thread;
  }

  private static Executor thread() {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MOST),
            new ThreadFactoryBuilder()
                .setNameFormat("orchestra-replica-doubts")
                .setDaemon(true)
                .build(),
            new ThreadPoolExecutor.DiscardPolicy());
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  /**
   * Returns at once.
   *
   * @param flaw looks what is wrong with one of the block's replicas
   * @param tell that it is
   */
  void add(BlockKey block, Supplier<Optional<F>> flaw, Consumer<F> tell) {
    try {
      thread.execute(() -> look(block, flaw, tell));
    } catch (RuntimeException | Error e) {
      // Such as for want of threads: HDFS scans its blocks as well.
      LOG.debug("A replica of {} that is doubted is not looked at", block, e);
    }
  }

  private void look(BlockKey block, Supplier<Optional<F>> flaw, Consumer<F> tell) {
    if (told.getIfPresent(block) != null) {
      return;
    }
    try {
      Optional<F> found = flaw.get();
      if (found.isPresent()) {
        told.put(block, true);
        tell.accept(found.get());
      }
    } catch (RuntimeException e) {
      LOG.debug("A replica of {} that is doubted could not be looked at", block, e);
    }
  }
}
