package io.orchestra.hadoop.testbed.bench.shuffle;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** How reducers fetch. */
enum Way {
  STOCK("stock, 5 fetchers", false, 5),
  STOCK_20("stock, 20 fetchers", false, 20),
  WEIGHTED("WSS", true, 5),
  /** The paper's rule as it stands: connections to all senders at once, as many as bytes say. */
  LITERAL("WSS, literal", true, 20, "orchestra.shuffle.gate=always");

  private static final String PLUGIN = "mapreduce.job.reduce.shuffle.consumer.plugin.class=";

  private final String title;
  private final boolean ours;
  private final ImmutableList<String> settings;

  Way(String title, boolean ours, int copies, String... more) {
    this.title = title;
    this.ours = ours;
    settings =
        ImmutableList.<String>builder()
            .add("mapreduce.reduce.shuffle.parallelcopies=" + copies)
            .add(more)
            .build();
  }

  String title() {
    return title;
  }

  boolean isOurs() {
    return ours;
  }

  /** Settings of the job, {@code KEY=VALUE}. */
  List<String> settings() {
    return ImmutableList.<String>builder()
        .addAll(settings)
        .add(
            PLUGIN
                + (ours
                    ? "io.orchestra.hadoop.shuffle.WeightedShuffle"
                    : "org.apache.hadoop.mapreduce.task.reduce.Shuffle"))
        .build();
  }
}
