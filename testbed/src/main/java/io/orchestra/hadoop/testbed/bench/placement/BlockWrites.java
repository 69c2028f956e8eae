package io.orchestra.hadoop.testbed.bench.placement;

import com.google.common.base.Splitter;
import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.cluster.Agents;
import io.orchestra.hadoop.testbed.host.HostProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.StatUtils;

/** Has several hosts write blocks at the same time, and checks what became of them. */
final class BlockWrites {
  static final String MEAN = "mean block write [s]";
  private static final String MEDIAN = "median block write [s]";
  private static final String TAIL = "95th percentile of block writes [s]";
  static final String BLOCKS = "block writes [s]";
  static final String DISK_IMBALANCE = "disk imbalance";

  /** What each DataNode is taken to hold; an emulated host has no disk of its own. */
  private static final double NOMINAL_DISK = 10e9;

  private static final Duration LONGEST_BLOCK = Duration.ofMinutes(5);

  /** DataNodes tell of new replicas a little after the writer is done. */
  private static final Duration LONGEST_REPLICA_REPORT = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int WARM_UP_FILES = 3;
  private static final int WARM_UP_BYTES = 2 << 20;

  /** As HDFS shows a checksum that is that of the whole file's bytes. */
  private static final String CHECKSUM = "COMPOSITE-CRC32C:";

  /**
   * @param seconds that each file took
   * @param sums of what was sent, by the name of the file
   */
  private record Written(List<Double> seconds, Map<String, String> sums) {}

  private final PlacementTestbed testbed;
  private final Sizes sizes;

  BlockWrites(PlacementTestbed testbed, Sizes sizes) {
    this.testbed = testbed;
    this.sizes = sizes;
  }

  /**
   * Has every worker write a little under the default policy, unmeasured: no later trial meets
   * clients, DataNodes or connections that have done nothing yet.
   */
  void warmUp() {
    testbed.place(Policy.DEFAULT);
    Written unused = write(testbed.workers(), WARM_UP_FILES, WARM_UP_BYTES);
  }

  /**
   * @param measurement gets the figures
   */
  void run(List<String> writers, Measurement.Builder measurement) {
    Written written = write(writers, sizes.blocksPerWriter(), sizes.blockBytes());
    double[] times = written.seconds().stream().mapToDouble(Double::doubleValue).toArray();
    measurement.figure(MEAN, StatUtils.mean(times));
    measurement.figure(MEDIAN, StatUtils.percentile(times, 50));
    measurement.figure(TAIL, StatUtils.percentile(times, 95));
    measurement.samples(BLOCKS, written.seconds());
    checkReplicas(writers.size() * sizes.blocksPerWriter(), measurement);
    checkBytes(written.sums(), measurement);
    testbed.bench().checkClient(measurement);
  }

  private Written write(List<String> writers, int files, int bytes) {
    for (String writer : writers) {
      agent(writer)
          .send(
              "write %s/%s- %d %d %d"
                  .formatted(PlacementTestbed.DIRECTORY, writer, files, bytes, Sizes.REPLICAS));
    }
    List<Double> seconds = new ArrayList<>();
    Map<String, String> sums = new TreeMap<>();
    for (String writer : writers) {
      for (int file = 0; file < files; file++) {
        String answer = Agents.expect("wrote ", agent(writer).receive(LONGEST_BLOCK));
        List<String> words = Splitter.on(' ').splitToList(answer);
        seconds.add(Double.parseDouble(words.get(0)));
        sums.put(writer + "-" + file, CHECKSUM + words.get(1));
      }
      String unused = Agents.expect("done", agent(writer).receive(LONGEST_BLOCK));
    }
    return new Written(seconds, sums);
  }

  private HostProgram agent(String host) {
    return testbed.agents().worker(host);
  }

  private void checkReplicas(int expected, Measurement.Builder measurement) {
    List<String> wanted =
        List.of(
            Integer.toString(expected),
            Long.toString((long) expected * sizes.blockBytes()),
            Integer.toString(expected));
    List<String> words = new ArrayList<>();
    boolean whole =
        Waiting.within(
            LONGEST_REPLICA_REPORT,
            PAUSE,
            () -> {
              words.clear();
              words.addAll(files());
              return words.subList(0, 3).equals(wanted);
            },
            "all replicas");
    measurement.check(
        "all blocks are whole and have all replicas",
        whole,
        "%s files, %s bytes, %s with all replicas"
            .formatted(words.get(0), words.get(1), words.get(2)));
    Map<String, String> bytes = Agents.pairs(words.get(3));
    double[] used =
        testbed.workers().stream()
            .mapToDouble(host -> Double.parseDouble(bytes.getOrDefault(host, "0")) / NOMINAL_DISK)
            .toArray();
    measurement.figure(DISK_IMBALANCE, Math.sqrt(StatUtils.populationVariance(used)));
  }

  /** How many there are, their bytes, how many have all replicas, and where those are. */
  private List<String> files() {
    return Splitter.on(' ')
        .limit(4)
        .splitToList(
            testbed
                .agents()
                .master(
                    "check " + PlacementTestbed.DIRECTORY + " " + Sizes.REPLICAS,
                    "files ",
                    LONGEST_BLOCK));
  }

  private void checkBytes(Map<String, String> sums, Measurement.Builder measurement) {
    Map<String, String> stored = Agents.pairs(testbed.bench().checksum(PlacementTestbed.DIRECTORY));
    MapDifference<String, String> difference = Maps.difference(sums, stored);
    measurement.check(
        "HDFS holds the bytes that were written",
        difference.areEqual(),
        difference.areEqual() ? sums.size() + " checksums are equal" : difference.toString());
  }
}
