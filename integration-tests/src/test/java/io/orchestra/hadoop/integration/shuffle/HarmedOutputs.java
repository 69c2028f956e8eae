package io.orchestra.hadoop.integration.shuffle;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two map outputs of a job: the first that is there is deleted, the second damaged. */
final class HarmedOutputs {
  private final ShuffleCluster cluster;
  private final String job;
  private final long damagedAt;
  private final List<Path> harmed = new ArrayList<>();

  /**
   * @param damagedAt where the second is damaged, bytes from its begin
   */
  HarmedOutputs(ShuffleCluster cluster, String job, long damagedAt) {
    this.cluster = cluster;
    this.job = job;
    this.damagedAt = damagedAt;
  }

  /**
   * Does what can be done now.
   *
   * @return whether both have been harmed
   */
  boolean harm() {
    for (String worker : cluster.workers()) {
      for (Path index : cluster.outputs(worker, job)) {
        harm(index.resolveSibling("file.out"));
      }
    }
    return harmed.size() == 2;
  }

  private void harm(Path file) {
    if (harmed.size() == 2 || harmed.contains(file) || !Files.exists(file)) {
      return;
    }
    try {
      if (harmed.isEmpty()) {
        Files.delete(file);
      } else {
        try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
          data.seek(damagedAt);
          data.write("damage".getBytes(StandardCharsets.US_ASCII));
        }
      }
      harmed.add(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
