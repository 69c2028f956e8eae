package io.orchestra.hadoop.shuffle.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * What reducers of a suite's mini clusters have logged: the evidence that ours took part. They are
 * processes of their own.
 */
final class ReducerLogs {
  private static final FileTime BEGIN = FileTime.from(Instant.now());

  private ReducerLogs() {}

  /** To be called before the first job. */
  static void begin() {}

  /** Called after all tests of a suite: the run is worth nothing if reducers shuffled as stock. */
  static void verify() throws IOException {
    List<String> shuffles = shuffles();
    System.out.printf("Shuffles of ours: %s%n", shuffles.size());
    shuffles.forEach(System.out::println);
    assertThat(shuffles).as("shuffles of ours").isNotEmpty();
  }

  /** The same of suites with one large output for each reducer, and our service on all hosts. */
  static void verifyRanges() throws IOException {
    assertThat(shuffles())
        .isNotEmpty()
        .allSatisfy(
            line -> assertThat(line).contains(" 1 fetched in ranges;", " 0 hosts tell no sizes;"));
  }

  private static List<String> shuffles() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("target"))) {
      return files.filter(ReducerLogs::isNew).flatMap(ReducerLogs::shuffles).toList();
    }
  }

  private static boolean isNew(Path file) {
    try {
      return file.getFileName().toString().equals("syslog")
          && Files.getLastModifiedTime(file).compareTo(BEGIN) > 0;
    } catch (IOException e) {
      // Deleted meanwhile.
      return false;
    }
  }

  private static Stream<String> shuffles(Path log) {
    try {
      return Stream.of(Files.readString(log, StandardCharsets.ISO_8859_1).split("\n"))
          .filter(line -> line.contains("LaneShuffle: Shuffle of attempt_"));
    } catch (IOException e) {
      return Stream.of();
    }
  }
}
