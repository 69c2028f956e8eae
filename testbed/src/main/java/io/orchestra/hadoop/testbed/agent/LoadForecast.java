package io.orchestra.hadoop.testbed.agent;

import java.util.ArrayList;
import java.util.List;

/**
 * How much background traffic is going to arrive at a host when.
 *
 * @param rate while there is any, bytes per second
 * @param spans when there is some; they do not overlap
 */
record LoadForecast(long rate, List<Span> spans) {

  /** Milliseconds since the epoch, the end not included. */
  record Span(long from, long to) {}

  LoadForecast {
    spans = List.copyOf(spans);
  }

  /**
   * @param words begin and end of each span in turn
   */
  static LoadForecast parse(long rate, List<String> words) {
    List<Span> spans = new ArrayList<>();
    for (int word = 0; word < words.size(); word += 2) {
      spans.add(new Span(Long.parseLong(words.get(word)), Long.parseLong(words.get(word + 1))));
    }
    return new LoadForecast(rate, spans);
  }

  /**
   * The mean over the time that follows, bytes per second.
   *
   * @param now milliseconds since the epoch
   * @param millis how far to look ahead, at least 1
   */
  long mean(long now, long millis) {
    long busy = 0;
    for (Span span : spans) {
      busy += Math.max(0, Math.min(span.to(), now + millis) - Math.max(span.from(), now));
    }
    return rate * busy / millis;
  }
}
