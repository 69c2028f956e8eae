package io.orchestra.hadoop.shuffle;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.shuffle.reduce.LaneShuffle;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reducer's shuffle, weighted by size (WSS: Orchestra, section 6.3). Named in {@code
 * mapreduce.job.reduce.shuffle.consumer.plugin.class}. Stock's where it is switched off, in local
 * and uber jobs, where it cannot begin, and in a task's second attempt: whatever the first one
 * failed of, it was not for want of a weighted shuffle.
 */
public final class WeightedShuffle<K, V> implements ShuffleConsumerPlugin<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(WeightedShuffle.class);

  /** Attempts that another application master of the job begins are counted from there. */
  private static final int ATTEMPTS_OF_MASTER = 1000;

  private ShuffleConsumerPlugin<K, V> shuffle;

  @Override
  public void init(Context<K, V> context) {
    Optional<LaneShuffle<K, V>> weighted = weighted(context);
    if (weighted.isPresent()) {
      shuffle = weighted.get();
    } else {
      shuffle = new Shuffle<>();
      shuffle.init(context);
    }
  }

  private static <K, V> Optional<LaneShuffle<K, V>> weighted(Context<K, V> context) {
    if (context.getLocalMapFiles() != null) {
      return Optional.empty();
    }
    try {
      ShuffleConfig config = ShuffleConfig.from(context.getJobConf());
      if (!config.enabled()) {
        return Optional.empty();
      }
      if (context.getReduceId().getId() % ATTEMPTS_OF_MASTER > 0) {
        LOG.info("This reducer shuffles as stock: an earlier attempt did not end");
        return Optional.empty();
      }
      return Optional.of(begin(config, context));
    } catch (InvalidConfigurationException e) {
      LOG.error("This reducer shuffles as stock: {}", e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      LOG.error("This reducer shuffles as stock", e);
    }
    return Optional.empty();
  }

  private static <K, V> LaneShuffle<K, V> begin(ShuffleConfig config, Context<K, V> context) {
    LaneShuffle<K, V> lanes = new LaneShuffle<>(config);
    try {
      lanes.init(context);
      return lanes;
    } catch (RuntimeException | LinkageError e) {
      lanes.abandon();
      throw e;
    }
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    return shuffle.run();
  }

  @Override
  public void close() {
    shuffle.close();
  }
}
