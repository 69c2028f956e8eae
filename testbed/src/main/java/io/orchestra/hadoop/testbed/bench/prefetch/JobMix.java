package io.orchestra.hadoop.testbed.bench.prefetch;

import io.orchestra.hadoop.testbed.bench.Draw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The jobs of FlexFetch's macrobenchmark (table II), made smaller for one machine: maps of a job
 * are as few as keeps the order of bins, so that the largest job has 6 instead of 200 and no two
 * bins of a kind are equally large, and of each bin there is one job. Of 50 jobs with 828 maps 10
 * with 31 are left, 5 of them small (42 of 50 in the paper): an application master costs the
 * machine as much as five maps. Jobs come as fast as keeps maps waiting, and no faster: application
 * masters that start together take the processors from the maps that run then.
 *
 * @param bins in the order of the paper, one job of each
 * @param meanPause between two jobs
 * @param fillingMaps of the job that fills the cluster before any other comes, as many as have room
 *     or more: no bin has as many
 * @param blockBytes that a map reads
 */
record JobMix(List<Bin> bins, Duration meanPause, int fillingMaps, int blockBytes) {
  static final JobMix FULL =
      new JobMix(
          List.of(
              new Bin(1, Kind.SEARCH, 1),
              new Bin(2, Kind.SELECT, 1),
              new Bin(3, Kind.SEARCH, 2),
              new Bin(4, Kind.SELECT, 2),
              new Bin(5, Kind.SEARCH, 3),
              new Bin(6, Kind.AGGREGATION, 3),
              new Bin(7, Kind.SEARCH, 4),
              new Bin(8, Kind.SELECT, 4),
              new Bin(9, Kind.AGGREGATION, 5),
              new Bin(10, Kind.SEARCH, 6)),
          Duration.ofSeconds(10),
          8,
          128 << 20);

  static final JobMix QUICK =
      new JobMix(
          List.of(
              new Bin(2, Kind.SELECT, 1),
              new Bin(3, Kind.SEARCH, 2),
              new Bin(6, Kind.AGGREGATION, 2),
              new Bin(8, Kind.SELECT, 3)),
          Duration.ofSeconds(3),
          4,
          64 << 20);

  /** Files of one block that jobs read. */
  static final int FILES = 12;

  /** After which its application master has told of its maps, and they have all room. */
  private static final int FILLING_MILLIS = 15_000;

  /**
   * A job of a schedule.
   *
   * @param millis after the beginning
   * @param files that it reads, one map each
   */
  record PlannedJob(String name, Bin bin, long millis, List<Integer> files) {}

  /** The schedule of a seed: jobs in random order, with pauses that are roughly exponential. */
  List<PlannedJob> draw(long seed) {
    List<Bin> order = new ArrayList<>(bins);
    Random random = new Draw(seed, "jobs").random();
    Collections.shuffle(order, random);
    List<PlannedJob> schedule = new ArrayList<>();
    double millis = FILLING_MILLIS;
    for (Bin bin : order) {
      schedule.add(
          new PlannedJob(
              "job%d".formatted(schedule.size()), bin, Math.round(millis), files(bin, random)));
      millis -= Math.log(1 - random.nextDouble()) * meanPause.toMillis();
    }
    return List.copyOf(schedule);
  }

  /**
   * When something goes wrong in the schedule of a seed: in the middle third of the time that hosts
   * would need for all input if nothing kept them from working on it.
   *
   * @param bytesPerSecond that all hosts together work on
   * @return milliseconds after the beginning
   */
  long faultMillis(long seed, long bytesPerSecond) {
    double seconds = (double) (maps() + fillingMaps) * blockBytes / bytesPerSecond;
    double part = (1 + new Draw(seed, "fault").random().nextDouble()) / 3;
    return FILLING_MILLIS + Math.round(seconds * part * 1e3);
  }

  private static List<Integer> files(Bin bin, Random random) {
    List<Integer> files = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
    Collections.shuffle(files, random);
    return List.copyOf(files.subList(0, bin.maps()));
  }

  /** The files that the first job reads. */
  List<Integer> fillingFiles() {
    return IntStream.range(0, fillingMaps).boxed().toList();
  }

  int jobs() {
    return bins.size();
  }

  int maps() {
    return bins.stream().mapToInt(Bin::maps).sum();
  }
}
