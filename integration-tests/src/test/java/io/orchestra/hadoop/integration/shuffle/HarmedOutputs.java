package io.orchestra.hadoop.integration.shuffle;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Two map outputs of a job, each the only one of a host with our service: one is deleted, the other
 * damaged.
 */
final class HarmedOutputs {
  private final ShuffleCluster cluster;
  private final String job;
  private final int maps;
  private final long damagedAt;

  /**
   * @param maps of the job
   * @param damagedAt where the second is damaged, bytes from its begin
   */
  HarmedOutputs(ShuffleCluster cluster, String job, int maps, long damagedAt) {
    this.cluster = cluster;
    this.job = job;
    this.maps = maps;
    this.damagedAt = damagedAt;
  }

  /** The attempts that wrote them. */
  record Attempts(String deleted, String damaged) {}

  /** Harms them when all maps have ended, which look at theirs before; empty before that. */
  Optional<Attempts> harm() {
    if (cluster.workers().stream().mapToLong(host -> cluster.maps(host, job)).sum() < maps) {
      return Optional.empty();
    }
    List<List<Path>> ofHosts =
        cluster.workers().stream().map(host -> cluster.outputs(host, job)).toList();
    List<Path> alone =
        cluster.workers().stream()
            .filter(host -> !host.equals(ShuffleCluster.STOCK_HOST))
            .map(host -> cluster.outputs(host, job))
            .filter(outputs -> outputs.size() == 1)
            .map(outputs -> outputs.get(0).resolveSibling("file.out"))
            .limit(2)
            .toList();
    if (alone.size() < 2) {
      throw new AssertionError("maps were not spread over the hosts: " + ofHosts);
    }
    try {
      Files.delete(alone.get(0));
      damage(alone.get(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(new Attempts(attempt(alone.get(0)), attempt(alone.get(1))));
  }

  private static String attempt(Path output) {
    return output.getParent().getFileName().toString();
  }

  private void damage(Path file) throws IOException {
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
      data.seek(damagedAt);
      data.write("damage".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
