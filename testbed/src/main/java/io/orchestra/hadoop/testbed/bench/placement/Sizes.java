package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much is run.
 *
 * @param blockBytes of each file, which is one block
 * @param blocksPerWriter written one after the other
 */
record Sizes(int blockBytes, int blocksPerWriter) {
  static final int RACKS = 3;
  static final int HOSTS_PER_RACK = 4;
  static final int BUSY_HOSTS = 4;
  static final int WRITERS = 8;
  static final int REPLICAS = 3;
  static final Rate HOST_RATE = Rate.parse("50mbit");
  static final Rate UPLINK_RATE = Rate.parse("200mbit");

  /** Enough that a writer's one flow takes little from them. */
  static final int FLOWS = 10;

  static final long BACKGROUND_BYTES_PER_SECOND = 45_000_000 / 8;
  static final long HOST_BYTES_PER_SECOND = (long) HOST_RATE.bytesPerSecond();

  /** How far the oracle looks ahead: about as long as a block takes without obstacles. */
  static final Duration BLOCK_LIFETIME = Duration.ofSeconds(10);

  static final int JOB_MAPS = 8;
  static final long JOB_BYTES = 512_000_000;

  static Sizes of(BenchOptions options) {
    return options.quick() ? new Sizes(16 << 20, 2) : new Sizes(32 << 20, 2);
  }

  Map<String, String> describe() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "cluster",
        "%d racks of %d DataNodes, links %s, uplinks %s"
            .formatted(RACKS, HOSTS_PER_RACK, HOST_RATE, UPLINK_RATE));
    lines.put(
        "writers",
        "%d, on hosts drawn by the seed; each writes %d files of one block of %d MiB, r = %d"
            .formatted(WRITERS, blocksPerWriter, blockBytes >> 20, REPLICAS));
    lines.put(
        "background",
        "%d downlinks at a time, drawn by the seed, %d paced TCP flows to each, 45 Mbit/s together"
            .formatted(BUSY_HOSTS, FLOWS));
    lines.put(
        "warm-up",
        "before the first trial every host writes a few small files under the default policy");
    return lines;
  }
}
