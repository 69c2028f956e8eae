package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.ReadRequest;

/**
 * Which files are left to HDFS without asking the tracker, since they are short. Of a file a
 * localizer tells one block's length: all but the last are equally long and made of whole chunks
 * with a checksum each, which few short files are. Other readers may want a part of a block, and
 * tell only where that ends. Safe for concurrent use.
 */
final class ShortFiles {
  /** Bytes: HDFS's default, and a divisor of most others. */
  private static final int CHUNK = 512;

  private final long configured;

  /** The tracker's setting where that is known and less than ours. */
  private volatile long minFileSize;

  /**
   * @param minFileSize bytes
   */
  ShortFiles(long minFileSize) {
    configured = minFileSize;
    this.minFileSize = minFileSize;
  }

  /** The tracker has said its own limit. */
  void heed(JoinResponseProto answer) {
    if (answer.hasMinFileSize()) {
      // Never more than our own, or we might not hear when it is less again.
      minFileSize = Math.min(configured, answer.getMinFileSize());
    }
  }

  /**
   * Whether a reader's file is short, as far as he tells, or he wants only the last block of it.
   */
  boolean contain(ReadRequest request) {
    return request.purpose() == ReadRequest.Purpose.LOCALIZATION
        && contain(request.visibleLength());
  }

  private boolean contain(long blockLength) {
    boolean mayHaveMore =
        blockLength % CHUNK == 0 && blockLength * BroadcastConfig.MOST_BLOCKS >= minFileSize;
    return blockLength < minFileSize && !mayHaveMore;
  }
}
