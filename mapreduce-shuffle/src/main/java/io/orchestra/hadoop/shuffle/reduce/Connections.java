package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;

/**
 * Opens connections as Hadoop's fetchers do, with TLS if the job's shuffle has it. A fetcher that
 * never runs. Safe for concurrent use.
 */
final class Connections<K, V> extends Fetcher<K, V> {
  Connections(ShuffleConsumerPlugin.Context<K, V> context) {
    super(
        context.getJobConf(),
        context.getReduceId(),
        null,
        null,
        context.getReporter(),
        null,
        null,
        context.getReduceTask().getShuffleSecret());
  }

  /** Not connected yet. */
  synchronized HttpURLConnection open(URL url) throws IOException {
    openConnection(url);
    return connection;
  }
}
