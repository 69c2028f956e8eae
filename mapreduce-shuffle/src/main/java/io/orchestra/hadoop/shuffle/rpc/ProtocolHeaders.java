package io.orchestra.hadoop.shuffle.rpc;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/** Headers of requests and answers that name the shuffle and its version; ours are stock's. */
public final class ProtocolHeaders {
  private static final Map<String, String> VALUES =
      ImmutableMap.of(
          ShuffleHeader.HTTP_HEADER_NAME,
          ShuffleHeader.DEFAULT_HTTP_HEADER_NAME,
          ShuffleHeader.HTTP_HEADER_VERSION,
          ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);

  private ProtocolHeaders() {}

  /**
   * @param message takes a header's name and value
   */
  public static void addTo(BiConsumer<String, String> message) {
    VALUES.forEach(message);
  }

  /**
   * Whether a message is of this shuffle, and of this version.
   *
   * @param message a header's value by its name; null if it has none
   */
  public static boolean areIn(UnaryOperator<String> message) {
    return VALUES.entrySet().stream()
        .allMatch(header -> header.getValue().equals(message.apply(header.getKey())));
  }
}
