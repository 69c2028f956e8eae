package io.orchestra.hadoop.testbed.demo;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a step wrote.
 *
 * @param digests the SHA-256 of every file, by its name
 * @param bytes of all files together
 */
record Outputs(SortedMap<String, String> digests, long bytes) {

  /** Reads a directory that was copied out of HDFS. */
  static Outputs of(Path directory) {
    SortedMap<String, String> digests = new TreeMap<>();
    long bytes = 0;
    for (Path file : files(directory)) {
      try {
        digests.put(
            directory.relativize(file).toString(),
            MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString());
        bytes += Files.size(file);
      } catch (IOException e) {
        throw new TestbedException("cannot read " + file + ": " + e.getMessage(), e);
      }
    }
    return new Outputs(digests, bytes);
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      // The client's own checksum files begin with a dot.
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .toList();
    } catch (IOException e) {
      throw new TestbedException("cannot list " + directory + ": " + e.getMessage(), e);
    }
  }
}
