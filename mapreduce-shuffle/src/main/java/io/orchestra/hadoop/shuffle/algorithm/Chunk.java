package io.orchestra.hadoop.shuffle.algorithm;

import java.util.List;

/**
 * What a lane fetches with one request.
 *
 * @param host the sender
 * @param parts whole outputs, or one range of an output; in the order in which they are sent
 * @param <H> identity of a sender
 * @param <M> identity of a map output
 */
public record Chunk<H, M>(H host, List<Part<M>> parts) {
  public Chunk {
    parts = List.copyOf(parts);
  }

  /** Bytes; outputs of unknown size count nothing. */
  public long bytes() {
    return parts.stream().filter(Part::isMeasured).mapToLong(Part::length).sum();
  }
}
