package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.util.concurrent.RateLimiter;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A finished replica of this DataNode: a natural seed. Its file is open only while a piece is sent,
 * since a receiver may ask for hundreds of blocks.
 */
final class ReplicaPart implements BlockPart {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaPart.class);

  /** Each receiver asks for each block. */
  private static final RateLimiter WARNINGS = RateLimiter.create(1.0 / 60);

  private final Replicas replicas;
  private final BlockKey key;
  private final BlockPieces pieces;
  private final PieceSums sums;

  private ReplicaPart(Replicas replicas, BlockKey key, BlockPieces pieces, PieceSums sums) {
    this.replicas = replicas;
    this.key = key;
    this.pieces = pieces;
    this.sums = sums;
  }

  /**
   * @return empty if this DataNode has no finished replica of exactly this block, or one that
   *     cannot be served: without checksums, or not in a file
   */
  static Optional<BlockPart> open(Replicas replicas, BlockKey key, BlockPieces pieces) {
    try {
      if (!replicas.has(key, pieces.blockLength())) {
        return Optional.empty();
      }
      PieceSums sums = replicas.sums(key, pieces);
      replicas.file(key, pieces.blockLength()).close();
      return Optional.of(new ReplicaPart(replicas, key, pieces, sums));
    } catch (IOException e) {
      if (WARNINGS.tryAcquire()) {
        LOG.warn(
            "The replica of {} cannot be served to peers (told at most once a minute): {}",
            key,
            e.toString());
      }
      return Optional.empty();
    }
  }

  @Override
  public BitSet listen(IntConsumer listener) {
    BitSet all = new BitSet();
    all.set(0, pieces.count());
    return all;
  }

  @Override
  public boolean has(int piece) {
    return true;
  }

  @Override
  public void send(int piece, PieceSink sink) throws IOException {
    try (FileInputStream file = replicas.file(key, pieces.blockLength())) {
      sink.take(file.getChannel(), pieces.position(piece), pieces.length(piece));
    }
  }

  @Override
  public Optional<PieceSums> ownSums() {
    return Optional.of(sums);
  }

  @Override
  public void close() {}
}
