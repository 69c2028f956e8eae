package io.orchestra.hadoop.shuffle.rpc;

import io.orchestra.hadoop.shuffle.rpc.proto.ShuffleProtos.OutputSizeProto;
import io.orchestra.hadoop.shuffle.rpc.proto.ShuffleProtos.OutputSizesProto;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The body of the answer to a {@link SizesRequest}. */
public final class OutputSizes {
  /**
   * Several times the longest answer: names of at most 4096 bytes in all, and 20 times three
   * numbers.
   */
  static final int LONGEST = 32 << 10;

  private OutputSizes() {}

  public static byte[] write(List<OutputSize> sizes) {
    return OutputSizesProto.newBuilder()
        .addAllOutputs(sizes.stream().map(OutputSize::toProto).toList())
        .build()
        .toByteArray();
  }

  /**
   * Reads a body to its end.
   *
   * @return one for each output that can be had from that NodeManager, in any order
   * @throws IOException if it is no answer to that request
   */
  public static List<OutputSize> read(InputStream body, SizesRequest request) throws IOException {
    byte[] bytes = body.readNBytes(LONGEST + 1);
    if (bytes.length > LONGEST) {
      throw new IOException("sizes of more than %d bytes".formatted(LONGEST));
    }
    Set<String> open = new HashSet<>(request.outputs());
    List<OutputSize> sizes = new ArrayList<>();
    for (OutputSizeProto proto : OutputSizesProto.parseFrom(bytes).getOutputsList()) {
      if (!open.remove(proto.getAttempt())) {
        throw new IOException("a size that nobody asked for, or asked for once");
      }
      sizes.add(verified(proto));
    }
    return sizes;
  }

  private static OutputSize verified(OutputSizeProto proto) throws IOException {
    try {
      return OutputSize.fromProto(proto);
    } catch (IllegalArgumentException e) {
      throw new IOException("a size that cannot be", e);
    }
  }
}
