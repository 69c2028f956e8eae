package io.orchestra.hadoop.testbed.bench.placement;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.StatUtils;

/** Has several hosts write blocks at the same time, and checks what became of them. */
final class BlockWrites {
  static final String MEAN = "mean block write [s]";
  static final String MEDIAN = "median block write [s]";
  static final String TAIL = "95th percentile of block writes [s]";
  static final String BLOCKS = "block writes [s]";
  static final String DISK_IMBALANCE = "disk imbalance";

  /** What each DataNode is taken to hold; an emulated host has no disk of its own. */
  private static final double NOMINAL_DISK = 10e9;

  private static final Duration LONGEST_BLOCK = Duration.ofMinutes(5);

  private final PlacementTestbed testbed;
  private final Sizes sizes;

  BlockWrites(PlacementTestbed testbed, Sizes sizes) {
    this.testbed = testbed;
    this.sizes = sizes;
  }

  /**
   * @param measurement gets the figures
   */
  void run(List<String> writers, Measurement.Builder measurement) {
    for (String writer : writers) {
      agent(writer)
          .send(
              "write %s/%s- %d %d %d"
                  .formatted(
                      PlacementTestbed.DIRECTORY,
                      writer,
                      sizes.blocksPerWriter(),
                      sizes.blockBytes(),
                      Sizes.REPLICAS));
    }
    List<Double> seconds = new ArrayList<>();
    for (String writer : writers) {
      for (int block = 0; block < sizes.blocksPerWriter(); block++) {
        seconds.add(
            Double.parseDouble(Agents.expect("wrote ", agent(writer).receive(LONGEST_BLOCK))));
      }
      String unused = Agents.expect("done", agent(writer).receive(LONGEST_BLOCK));
    }
    double[] times = seconds.stream().mapToDouble(Double::doubleValue).toArray();
    measurement.figure(MEAN, StatUtils.mean(times));
    measurement.figure(MEDIAN, StatUtils.percentile(times, 50));
    measurement.figure(TAIL, StatUtils.percentile(times, 95));
    measurement.samples(BLOCKS, seconds);
    check(writers.size() * sizes.blocksPerWriter(), measurement);
  }

  private HostProgram agent(String host) {
    return testbed.agents().worker(host);
  }

  private void check(int expected, Measurement.Builder measurement) {
    String answer =
        testbed
            .agents()
            .master(
                "check " + PlacementTestbed.DIRECTORY + " " + Sizes.REPLICAS,
                "files ",
                LONGEST_BLOCK);
    List<String> words = Splitter.on(' ').limit(4).splitToList(answer);
    measurement.check(
        "all blocks are whole and have all replicas",
        words
            .subList(0, 3)
            .equals(
                List.of(
                    Integer.toString(expected),
                    Long.toString((long) expected * sizes.blockBytes()),
                    Integer.toString(expected))),
        "%s files, %s bytes, %s with all replicas"
            .formatted(words.get(0), words.get(1), words.get(2)));
    measurement.check(
        "the client is HDFS's own",
        testbed.agents().clientJar().contains("/share/hadoop/"),
        testbed.agents().clientJar());
    Map<String, String> bytes = Agents.pairs(words.get(3));
    double[] used =
        testbed.workers().stream()
            .mapToDouble(host -> Double.parseDouble(bytes.getOrDefault(host, "0")) / NOMINAL_DISK)
            .toArray();
    measurement.figure(DISK_IMBALANCE, Math.sqrt(StatUtils.populationVariance(used)));
  }
}
