package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableListMultimap;
import io.orchestra.hadoop.broadcast.algorithm.Shortfall;
import io.orchestra.hadoop.broadcast.algorithm.Shortfall.Remedy;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.ReplicasProto;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads pieces of one file from replicas, as HDFS's clients do, while the swarm brings less than
 * that would. What others send meanwhile is not read again.
 *
 * <p>Safe for concurrent use; one thread at a time runs it.
 */
final class PlainReads implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PlainReads.class);

  /** Pieces asked of a replica at once: while they come, what readers wait for may change. */
  private static final int MOST_AT_ONCE = 16;

  /** Bytes after which the end of the download is noticed. */
  private static final int SLICE = 64 << 10;

  /** Pieces of one block in a row that are missing. */
  record Run(int first, int count) {
    int end() {
      return first + count;
    }
  }

  private final Download download;
  private final Duration limit;

  // Guarded by this.
  private final Shortfall shortfall;
  private ImmutableListMultimap<Integer, DatanodeID> holders = ImmutableListMultimap.of();
  private int replication = 1;
  private Remedy remedy = Remedy.NOTHING;
  private boolean running;
  private long failedAt;
  private boolean failed;
  private OptionalLong lastByte = OptionalLong.empty();

  /**
   * @param limit how much later than from HDFS the file may come
   */
  PlainReads(Download download, Duration limit, long begun) {
    this.download = download;
    this.limit = limit;
    shortfall = new Shortfall(limit.toNanos(), begun);
  }

  /** The tracker has said where replicas are. */
  synchronized void heed(JoinResponseProto answer) {
    if (answer.getReplicasCount() == 0) {
      return;
    }
    ImmutableListMultimap.Builder<Integer, DatanodeID> byBlock = ImmutableListMultimap.builder();
    for (ReplicasProto replicas : answer.getReplicasList()) {
      DatanodeID holder =
          new DatanodeID(
              replicas.getAddress(),
              replicas.getHostName(),
              replicas.getDatanodeUuid(),
              replicas.getTransferPort(),
              0,
              0,
              0);
      replicas.getBlocksList().forEach(block -> byBlock.put(block, holder));
    }
    holders = byBlock.build();
    replication = Math.max(1, answer.getReplication());
  }

  /**
   * Called a few times a second.
   *
   * @param arrived bytes of the file, however they came
   * @param idle nanoseconds in which the swarm has brought nothing
   * @return whether it is to be run
   */
  synchronized boolean isDue(long now, long arrived, long idle) {
    remedy = shortfall.remedy(now, arrived, idle);
    boolean again = !failed || now - failedAt > limit.toNanos() / 2;
    if (remedy == Remedy.NOTHING || running || !again || holders.isEmpty()) {
      return false;
    }
    running = true;
    return true;
  }

  /** How many nanoseconds no replica has sent a byte. */
  synchronized long idle(long now) {
    return lastByte.isPresent() ? now - lastByte.getAsLong() : Long.MAX_VALUE;
  }

  @Override
  public void run() {
    try {
      ByteBuffer piece = ByteBuffer.allocate(download.layout().pieceLength());
      Optional<Run> run = next(0);
      while (run.isPresent()) {
        read(run.get(), piece);
        run = next(run.get().end());
      }
      end(false);
    } catch (IOException | RuntimeException | Error e) {
      LOG.info("{} cannot be read from its replicas: {}", download.path(), e.toString());
      end(true);
    }
  }

  private Optional<Run> next(int from) {
    return switch (remedy()) {
      case NOTHING -> Optional.empty();
      case SAMPLE -> {
        sampled();
        yield download.missing(from, 1);
      }
      case ALL -> download.missing(from, MOST_AT_ONCE);
    };
  }

  private synchronized Remedy remedy() {
    return remedy;
  }

  private synchronized void sampled() {
    remedy = Remedy.NOTHING;
  }

  private synchronized void end(boolean badly) {
    running = false;
    failed = badly;
    failedAt = System.nanoTime();
  }

  private void read(Run run, ByteBuffer piece) throws IOException {
    int block = download.layout().place(run.first()).block();
    IOException last = new IOException("no replica is known");
    for (DatanodeID holder : holders(block)) {
      try {
        read(run, block, download.replica(holder, block), piece);
        return;
      } catch (IOException e) {
        LOG.debug("{} does not give {}", holder, download.layout().key(block), e);
        if (download.ended()) {
          return;
        }
        last = e;
      }
    }
    throw last;
  }

  private synchronized List<DatanodeID> holders(int block) {
    return holders.get(block);
  }

  private void read(Run run, int block, Replica replica, ByteBuffer piece) throws IOException {
    FileLayout layout = download.layout();
    BlockPieces cut = layout.cut(block);
    if (download.lacksSums(block)) {
      download.expect(block, replica.sums(cut));
    }
    int first = layout.place(run.first()).piece();
    int last = first + run.count() - 1;
    long position = cut.position(first);
    long length = cut.position(last) + cut.length(last) - position;
    long begun = System.nanoTime();
    try (Replica.Bytes bytes = replica.open(position, length)) {
      for (int number = run.first(); number < run.end(); number++) {
        readFully(bytes, piece.clear().limit(layout.length(number)));
        if (!download.read(number, piece.flip())) {
          throw new IOException("piece %d has a wrong checksum".formatted(number));
        }
      }
    }
    measured(length, System.nanoTime() - begun);
  }

  private void readFully(Replica.Bytes bytes, ByteBuffer piece) throws IOException {
    int end = piece.limit();
    while (piece.position() < end) {
      bytes.readFully(piece.limit(Math.min(end, piece.position() + SLICE)));
      if (download.ended()) {
        throw new IOException("the file is whole or given up");
      }
      progressed();
    }
  }

  private synchronized void progressed() {
    lastByte = OptionalLong.of(System.nanoTime());
  }

  private void measured(long bytes, long nanos) {
    int readers = download.receivers();
    synchronized (this) {
      shortfall.read(bytes, nanos, replication, readers);
    }
  }
}
