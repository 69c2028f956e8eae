package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A finished replica of this DataNode: a natural seed. */
final class ReplicaPart implements BlockPart {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaPart.class);

  private final BlockKey key;
  private final BlockPieces pieces;
  private final PieceSums sums;
  private final FileInputStream stream;

  private ReplicaPart(BlockKey key, BlockPieces pieces, PieceSums sums, FileInputStream stream) {
    this.key = key;
    this.pieces = pieces;
    this.sums = sums;
    this.stream = stream;
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
      InputStream stream = replicas.data(key, pieces.blockLength());
      if (stream instanceof FileInputStream file) {
        return Optional.of(new ReplicaPart(key, pieces, sums, file));
      }
      stream.close();
    } catch (IOException e) {
      LOG.warn("The replica of {} cannot be served to peers", key, e);
    }
    return Optional.empty();
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
    FileChannel file = stream.getChannel();
    sink.take(file, pieces.position(piece), pieces.length(piece));
  }

  @Override
  public Optional<PieceSums> ownSums() {
    return Optional.of(sums);
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      LOG.warn("The replica of {} did not close", key, e);
    }
  }
}
