package io.orchestra.hadoop.shuffle.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/** Lanes of one of two reducers, and what they fetch. */
final class OfferedLanes {
  private OfferedLanes() {}

  static void offer(Lanes<String, String> lanes, String sender, Share output) {
    lanes.add(sender, sender);
    lanes.measure(sender, output, output.own());
  }

  /** Two reducers get the same. */
  static void offer(Lanes<String, String> lanes, String sender, int outputs, long bytes) {
    for (int output = 0; output < outputs; output++) {
      lanes.add(sender, sender + "/" + output);
      lanes.measure(sender + "/" + output, new Share(bytes, 2 * bytes), bytes);
    }
  }

  static Lanes<String, String> weighted(LaneLimits limits) {
    return new Lanes<>(2, limits, Gate.ALWAYS, new Random(1));
  }

  static Map<String, Integer> lanesBySender(Lanes<String, String> lanes, int most) {
    return take(lanes, most).stream()
        .collect(Collectors.groupingBy(Chunk::host, Collectors.summingInt(chunk -> 1)));
  }

  /** Takes lanes without freeing any. */
  static List<Chunk<String, String>> take(Lanes<String, String> lanes, int most) {
    List<Chunk<String, String>> chunks = new ArrayList<>();
    while (chunks.size() < most) {
      Optional<Chunk<String, String>> chunk = lanes.next(true);
      if (chunk.isEmpty()) {
        break;
      }
      chunks.add(chunk.get());
    }
    return chunks;
  }

  /** Fetches everything, one chunk at a time. */
  static List<Chunk<String, String>> drain(Lanes<String, String> lanes) {
    List<Chunk<String, String>> chunks = new ArrayList<>();
    for (Optional<Chunk<String, String>> chunk = lanes.next(true);
        chunk.isPresent();
        chunk = lanes.next(true)) {
      chunks.add(chunk.get());
      lanes.free(chunk.get(), List.of());
    }
    return chunks;
  }

  static List<Part<String>> parts(List<Chunk<String, String>> chunks) {
    return chunks.stream().map(Chunk::parts).flatMap(List::stream).toList();
  }
}
