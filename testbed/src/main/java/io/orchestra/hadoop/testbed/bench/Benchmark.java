package io.orchestra.hadoop.testbed.bench;

import java.util.List;
import java.util.Map;

/** A question about a plugin that is answered by measuring it beside stock Hadoop. */
public interface Benchmark {

  /** The word on the command line, such as {@code placement}. */
  String name();

  /** What is asked, in one or two sentences. */
  String question();

  /** The figures that answer the question, in the order in which they are reported. */
  List<RatioKey> ratios();

  /** What is drawn across experiments. */
  default List<Growth> growths() {
    return List.of();
  }

  /** Names of those that can be run with these options, whichever of them are to be run. */
  List<String> experiments(BenchOptions options);

  /** What is run with these options (sizes, rates, hosts), in the order in which it is shown. */
  Map<String, String> describe(BenchOptions options);

  /** Opens its clusters and hands every experiment to the run, which does the measuring. */
  void run(BenchRun run) throws Exception;
}
