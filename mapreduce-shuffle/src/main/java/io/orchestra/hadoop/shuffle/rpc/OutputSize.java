package io.orchestra.hadoop.shuffle.rpc;

import static com.google.common.base.Preconditions.checkArgument;

import io.orchestra.hadoop.shuffle.rpc.proto.ShuffleProtos.OutputSizeProto;

/**
 * How large one map output is.
 *
 * @param attempt of the map
 * @param partLength bytes on disk and on the network for the reducer that asks
 * @param rawLength bytes of the same part, decompressed
 * @param totalLength bytes on disk for all reducers
 */
public record OutputSize(String attempt, long partLength, long rawLength, long totalLength) {
  /** A tebibyte. Of larger outputs nothing is told; sums over eight million maps are exact. */
  public static final long LARGEST = 1L << 40;

  public OutputSize {
    checkArgument(
        partLength >= 0 && rawLength >= 0 && totalLength >= partLength && totalLength <= LARGEST,
        "lengths of %s: part %s, decompressed %s, all parts %s",
        attempt,
        partLength,
        rawLength,
        totalLength);
  }

  OutputSizeProto toProto() {
    return OutputSizeProto.newBuilder()
        .setAttempt(attempt)
        .setPartLength(partLength)
        .setRawLength(rawLength)
        .setTotalLength(totalLength)
        .build();
  }

  static OutputSize fromProto(OutputSizeProto proto) {
    return new OutputSize(
        proto.getAttempt(), proto.getPartLength(), proto.getRawLength(), proto.getTotalLength());
  }
}
