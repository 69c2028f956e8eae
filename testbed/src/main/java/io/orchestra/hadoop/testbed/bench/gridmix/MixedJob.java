package io.orchestra.hadoop.testbed.bench.gridmix;

import java.util.ArrayList;
import java.util.List;

/**
 * A job of the mix that is recorded.
 *
 * @param seconds after the beginning
 * @param maps each reads a block
 * @param mapKilobytes that a map makes on average; every third makes four times as much as others
 * @param shares of the reduces; {@code -} without any
 * @param outputKilobytes that reduces write, all together
 * @param privateMegabytes of a file that the client uploads for the tasks; 0 without one
 * @param sharedMegabytes of a file in HDFS that all may read; 0 without one
 */
record MixedJob(
    int seconds,
    int maps,
    int mapKilobytes,
    String shares,
    int outputKilobytes,
    int privateMegabytes,
    int sharedMegabytes) {

  /**
   * Nine jobs, five seconds apart, with five times as many maps as have room, of the kinds that
   * clusters have: ones that look for little in much, shuffles of which one reduce gets most, jobs
   * that write much, and ones that bring a model or a library along, about as large as the input of
   * a map. Each such file is one job's, and nearly all are in HDFS: what a client uploads delays
   * the submission of all jobs after it, and in each arm by another time.
   */
  static final List<MixedJob> MIX =
      List.of(
          new MixedJob(0, 9, 2_000, "3,1,1", 16_000, 0, 32),
          new MixedJob(5, 2, 1_000, "1", 500, 0, 0),
          new MixedJob(10, 10, 1_000, "2,1", 12_000, 0, 30),
          new MixedJob(15, 4, 6_000, "3,1", 24_000, 0, 24),
          new MixedJob(20, 8, 1_000, "1", 500, 0, 28),
          new MixedJob(25, 2, 20_000, "4,1", 12_000, 0, 20),
          new MixedJob(30, 5, 1_000, "1", 8_000, 0, 0),
          new MixedJob(35, 5, 8_000, "3,1", 24_000, 0, 22),
          new MixedJob(40, 3, 12_000, "2,1", 60_000, 12, 0));

  /**
   * What {@code JobStream} is told to run.
   *
   * @param inputs paths with commas between them
   * @param privateFile where the client has it
   * @param sharedFile its address in HDFS
   */
  List<String> words(String inputs, String output, String privateFile, String sharedFile) {
    List<String> words = new ArrayList<>(List.of("synthetic"));
    if (sharedMegabytes > 0) {
      words.add("-Dmapreduce.job.cache.files=" + sharedFile);
    }
    if (privateMegabytes > 0) {
      words.addAll(List.of("-files", privateFile));
    }
    words.addAll(
        List.of(
            inputs,
            output,
            Long.toString(mapKilobytes * 1000L),
            shares,
            Long.toString(outputKilobytes * 1000L)));
    return words;
  }
}
