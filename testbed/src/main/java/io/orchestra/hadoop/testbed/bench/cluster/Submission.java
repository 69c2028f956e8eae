package io.orchestra.hadoop.testbed.bench.cluster;

import java.util.List;

/**
 * A program that is started at its time.
 *
 * @param millis after the beginning
 * @param words see {@code JobStream}
 */
public record Submission(String name, long millis, List<String> words) {
  String line() {
    return "job %s %d %s".formatted(name, millis, String.join(" ", words));
  }
}
