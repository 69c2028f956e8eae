package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.DataChecksum;

/** The finished replicas of a DataNode. Safe for concurrent use. */
final class Replicas {
  private final DataNode datanode;
  private final BroadcastMetrics metrics;

  /**
   * Composing them reads all of a replica's checksums, and many peers ask at once: once for all.
   */
  private final Cache<Cut, PieceSums> sums =
      CacheBuilder.newBuilder().maximumSize(1000).expireAfterAccess(Duration.ofMinutes(10)).build();

  private record Cut(BlockKey key, BlockPieces pieces) {}

  Replicas(DataNode datanode, BroadcastMetrics metrics) {
    this.datanode = datanode;
    this.metrics = metrics;
  }

  /** Whether there is a finished replica with exactly this generation stamp. */
  boolean has(BlockKey key) {
    // For any other pool it would make a lock, and keep it (DataSetLockManager.getReadLock).
    return datanode.isBPServiceAlive(key.pool()) && dataset().isValidBlock(key.extended(0));
  }

  /** Whether there is one that also has exactly this length, bytes. */
  boolean has(BlockKey key, long length) throws IOException {
    return has(key) && dataset().getLength(key.extended(length)) == length;
  }

  /**
   * The replica itself.
   *
   * @throws IOException if it is not there any more, or not in a local file
   */
  FileInputStream file(BlockKey key, long length) throws IOException {
    InputStream stream = dataset().getBlockInputStream(key.extended(length), 0);
    if (stream instanceof FileInputStream file) {
      return file;
    }
    stream.close();
    throw new IOException("the replica of %s is not in a file".formatted(key));
  }

  /**
   * @throws IOException if the replica has no checksums, or none that can be composed into those of
   *     pieces
   */
  PieceSums sums(BlockKey key, BlockPieces pieces) throws IOException {
    try {
      return sums.get(new Cut(key, pieces), () -> compose(key, pieces));
    } catch (ExecutionException | UncheckedExecutionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
      throw new IOException("the checksums of %s cannot be read".formatted(key), e.getCause());
    }
  }

  private PieceSums compose(BlockKey key, BlockPieces pieces) throws IOException {
    InputStream stored = dataset().getMetaDataInputStream(key.extended(pieces.blockLength()));
    if (stored == null) {
      throw new IOException("no checksums beside the replica of " + key);
    }
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(stored, 64 << 10))) {
      DataChecksum checksum = BlockMetadataHeader.readHeader(in).getChecksum();
      PieceSums.Kind kind = PieceSums.Kind.of(checksum.getChecksumType());
      int chunk = checksum.getBytesPerChecksum();
      if (pieces.pieceLength() % chunk != 0) {
        throw new IOException(
            "pieces of %d bytes are not made of chunks of %d"
                .formatted(pieces.pieceLength(), chunk));
      }
      CrcComposer composer =
          CrcComposer.newStripedCrcComposer(
              checksum.getChecksumType(), chunk, pieces.pieceLength());
      composer.update(in, Math.toIntExact(pieces.blockLength() / chunk), chunk);
      long rest = pieces.blockLength() % chunk;
      if (rest > 0) {
        composer.update(in.readInt(), rest);
      }
      int[] composed = new int[pieces.count()];
      ByteBuffer.wrap(composer.digest()).asIntBuffer().get(composed);
      metrics.composed();
      return new PieceSums(kind, pieces, composed);
    }
  }

  private FsDatasetSpi<?> dataset() {
    return datanode.getFSDataset();
  }
}
