package io.orchestra.hadoop.testbed.bench.prefetch;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** Types of jobs (FlexFetch, table II), and the stock programs that stand for them. */
enum Kind {
  /** Few lines match. */
  SEARCH {
    @Override
    List<String> words(String inputs, String output, int maps) {
      return search(inputs, output, List.of());
    }
  },
  /** One record of ten thousand is kept. */
  SELECT {
    @Override
    List<String> words(String inputs, String output, int maps) {
      return scan(inputs, output, 0.01, 1, List.of());
    }
  },
  /** All words of the input go to the reduces. */
  AGGREGATION {
    @Override
    List<String> words(String inputs, String output, int maps) {
      int reduces = Math.max(1, maps / 4);
      return List.of(
          "aggregatewordcount", inputs, output, Integer.toString(reduces), "textinputformat");
    }
  };

  /** By its name: Hadoop is on the class path of the cluster's programs, and not here. */
  private static final String INPUT = "io.orchestra.hadoop.testbed.agent.PacedTextInputFormat";

  /**
   * What {@code JobStream} is told to run.
   *
   * @param inputs paths with commas between them
   */
  abstract List<String> words(String inputs, String output, int maps);

  /**
   * @param options of the form {@code -Dkey=value}
   */
  static List<String> search(String inputs, String output, List<String> options) {
    return ImmutableList.<String>builder()
        .add("grep", "-Dmapreduce.job.inputformat.class=" + INPUT)
        .addAll(options)
        .add(inputs, output, "zq[a-f]x")
        .build();
  }

  /**
   * @param kept percentage of records that maps give to reduces; these keep nothing of more than a
   *     few
   */
  static List<String> scan(
      String inputs, String output, double kept, int reduces, List<String> options) {
    return ImmutableList.<String>builder()
        .add("loadgen")
        .addAll(options)
        .add("-keepmap", Double.toString(kept))
        .add("-keepred", kept > 1 ? "0" : "100")
        .add("-r", Integer.toString(reduces))
        .add("-inFormat", INPUT)
        .add("-outFormat", "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat")
        .add("-outKey", "org.apache.hadoop.io.LongWritable")
        .add("-outValue", "org.apache.hadoop.io.Text")
        .add("-indir", inputs)
        .add("-outdir", output)
        .build();
  }
}
