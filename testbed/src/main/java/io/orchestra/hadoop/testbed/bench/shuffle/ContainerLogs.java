package io.orchestra.hadoop.testbed.bench.shuffle;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.ClusterDirectory;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the containers of a job have logged.
 *
 * @param application the id of the job's application
 */
record ContainerLogs(ClusterDirectory cluster, String application) {

  /** The log of each container that a host has run. */
  List<Path> containers(String host) {
    Path root = cluster.logs(host).resolve("containers").resolve(application);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files =
        Files.find(root, 2, (path, attributes) -> path.getFileName().toString().equals("syslog"))) {
      return files.toList();
    } catch (IOException e) {
      throw new TestbedException("cannot list " + root + ": " + e.getMessage(), e);
    }
  }

  /** The reducers that a host has run. */
  Stream<ReducerLog> reducers(String host) {
    return containers(host).stream()
        .filter(
            log ->
                lines(log).stream().anyMatch(line -> line.contains("Using ShuffleConsumerPlugin")))
        .map(ContainerLogs::reducer);
  }

  private static ReducerLog reducer(Path log) {
    // Hadoop writes what its shuffle logs to a file of its own.
    List<String> all = new ArrayList<>(lines(log.resolveSibling("syslog.shuffle")));
    all.addAll(lines(log));
    return ReducerLog.parse(all);
  }

  private static List<String> lines(Path file) {
    return FileTree.read(file).lines().toList();
  }
}
