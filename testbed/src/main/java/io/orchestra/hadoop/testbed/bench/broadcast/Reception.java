package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.StatUtils;

/**
 * When each receiver had the file, or each of several.
 *
 * @param seconds from when it began
 */
record Reception(List<Double> seconds) {
  static final String LAST = "last receiver [s]";
  static final String MEAN = "mean receiver [s]";
  static final String TO_LINK = "last receiver / size over link";
  private static final String ALL = "receivers [s]";

  /** The bytes of a file and their CRC32C, as programs on hosts tell them. */
  record Content(long bytes, String sum) {

    /** Reads {@code BYTES CRC}. */
    static Content parse(String words) {
      List<String> parts = Splitter.on(' ').splitToList(words);
      return new Content(Long.parseLong(parts.get(0)), parts.get(1));
    }

    /** Several files as one. */
    static Content of(List<Content> files) {
      return new Content(
          files.stream().mapToLong(Content::bytes).sum(),
          files.stream().map(Content::sum).collect(Collectors.joining("+")));
    }
  }

  Reception {
    seconds = List.copyOf(seconds);
  }

  void addTo(Measurement.Builder measurement, Cell cell) {
    double[] all = seconds.stream().mapToDouble(Double::doubleValue).toArray();
    measurement.figure(LAST, StatUtils.max(all));
    measurement.figure(MEAN, StatUtils.mean(all));
    measurement.figure(TO_LINK, StatUtils.max(all) / cell.linkSeconds());
    measurement.samples(ALL, seconds.stream().sorted().toList());
  }

  /**
   * Adds the check whether all receivers have what was written.
   *
   * @param received what each receiver has
   */
  static void check(
      Measurement.Builder measurement, Content written, Map<String, Content> received) {
    Map<String, Content> wrong = new LinkedHashMap<>(received);
    wrong.values().removeIf(written::equals);
    measurement.check(
        "all receivers have the bytes that were written",
        wrong.isEmpty() && !received.isEmpty(),
        wrong.isEmpty()
            ? "%d bytes with the checksum %s on %d hosts"
                .formatted(written.bytes(), written.sum(), received.size())
            : wrong.entrySet().stream()
                .map(host -> host.getKey() + " has " + host.getValue())
                .collect(Collectors.joining(", ", "", " instead of " + written)));
  }
}
