package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.io.Closer;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Filler;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.Offer;
import io.orchestra.hadoop.core.blockcache.ReadRequest;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.DaemonPlugin;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the cache of a DataNode from its own replicas. In the small clusters of Hadoop's suites
 * every DataNode has every block, so that no swarm would bring one. Named in {@code
 * dfs.datanode.plugins}.
 */
public final class ReplicaFiller extends DaemonPlugin<DataNode> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaFiller.class);

  static {
    // hdfs-site.xml takes it from here. DataNodes load this class before any plugin starts.
    System.setProperty("orchestra.upstream.socket", newSocket());
  }

  public ReplicaFiller() {
    super(DataNode.class, "filler from replicas", "clients read from HDFS");
  }

  /** Not below target: a socket's path must be short. */
  private static String newSocket() {
    try {
      Path directory = Files.createTempDirectory("upstream");
      directory.toFile().deleteOnExit();
      return directory.resolve("s").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Optional<Closeable> open(DataNode datanode, Configuration conf)
      throws IOException, InvalidConfigurationException {
    Closer parts = Closer.create();
    BlockCache.Membership membership =
        parts.register(BlockCache.join(datanode, BlockCacheConfig.from(conf)));
    Replicas replicas = new Replicas(datanode, parts.register(new BroadcastMetrics()));
    membership.fillWith(new FromReplicas(datanode, replicas, membership.cache()));
    return Optional.of(parts);
  }

  private record FromReplicas(DataNode datanode, Replicas replicas, BlockCache cache)
      implements Filler {

    @Override
    public Offer offer(ReadRequest request) {
      BlockKey key = request.block();
      if (!replicas.has(key)) {
        return new Offer.Declined("no finished replica");
      }
      try {
        return cache
            .begin(key, pieces(key))
            .map(this::filled)
            .orElseGet(() -> new Offer.Declined("no room in the cache"));
      } catch (IOException e) {
        LOG.warn("{} cannot be cut into pieces", key, e);
        return new Offer.Declined("trouble with the replica");
      }
    }

    /** A piece for every checksum: as many as there can be. */
    private BlockPieces pieces(BlockKey key) throws IOException {
      ExtendedBlock block = key.extended(0);
      try (InputStream stored = datanode.getFSDataset().getMetaDataInputStream(block)) {
        int chunk =
            BlockMetadataHeader.readHeader(new DataInputStream(stored))
                .getChecksum()
                .getBytesPerChecksum();
        return new BlockPieces(datanode.getFSDataset().getLength(block), chunk);
      }
    }

    private Offer filled(Lease lease) {
      try {
        fill(lease.block());
        return new Offer.Filling(lease);
      } catch (IOException e) {
        LOG.warn("{} cannot be cached", lease.block().key(), e);
        lease.block().fail(e.toString());
        lease.close();
        return new Offer.Declined("trouble with the replica");
      }
    }

    private void fill(CachedBlock block) throws IOException {
      BlockPieces pieces = block.pieces();
      block.expect(replicas.sums(block.key(), pieces));
      try (InputStream data = replicas.file(block.key(), pieces.blockLength())) {
        for (int piece = 0; piece < pieces.count(); piece++) {
          byte[] bytes = data.readNBytes(pieces.length(piece));
          if (!block.put(piece, ByteBuffer.wrap(bytes))) {
            throw new IOException("piece %d is not as its checksum says".formatted(piece));
          }
        }
      }
    }
  }
}
