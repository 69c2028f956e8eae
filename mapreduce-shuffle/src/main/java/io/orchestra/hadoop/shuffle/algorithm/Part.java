package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A map output for one reducer, or a range of it.
 *
 * @param output which one
 * @param offset bytes before it in the output
 * @param length bytes; {@link #UNKNOWN} for a whole output whose size nobody has told
 * @param whole whether it is all of the output
 * @param <M> identity of a map output
 */
public record Part<M>(M output, long offset, long length, boolean whole) {
  public static final long UNKNOWN = -1;

  public Part {
    checkArgument(
        offset >= 0 && (length >= 0 || (length == UNKNOWN && whole)),
        "%s bytes from %s on",
        length,
        offset);
  }

  /**
   * All of an output.
   *
   * @param length bytes, or {@link #UNKNOWN}
   */
  public static <M> Part<M> whole(M output, long length) {
    return new Part<>(output, 0, length, true);
  }

  public boolean isMeasured() {
    return length != UNKNOWN;
  }

  /** The first bytes of it. */
  Part<M> first(long bytes) {
    return new Part<>(output, offset, bytes, false);
  }

  /** All but the first bytes of it. */
  Part<M> after(long bytes) {
    return new Part<>(output, offset + bytes, length - bytes, false);
  }
}
