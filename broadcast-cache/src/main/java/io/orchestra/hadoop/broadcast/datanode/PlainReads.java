package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableListMultimap;
import io.orchestra.hadoop.broadcast.algorithm.Shortfall;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.HolderProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads pieces of one file from replicas, as HDFS's clients do, while the swarm brings less than
 * that would. What comes otherwise meanwhile is not read again.
 *
 * <p>Safe for concurrent use; one thread at a time runs it.
 */
final class PlainReads implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PlainReads.class);

  /** Pieces asked of a replica at once: a reader may soon wait for others. */
  private static final int MOST_AT_ONCE = 16;

  /** Bytes that tell how fast replicas are. */
  private static final int SAMPLE = 256 << 10;

  private static final int SLICE = 16 << 10;

  /** HDFS sends so much at once, and its client gives it out when all of it is here. */
  private static final int PACKET = 64 << 10;

  /** What is read. */
  interface Target {
    FileLayout layout();

    /** As users know the file. */
    String path();

    /** Whether nothing is needed any more. */
    boolean ended();

    /**
     * What to read next: what a reader waits for, or the first that is missing from {@code from}
     * on, or else from the beginning.
     *
     * @param blocks which may be read
     */
    OptionalInt missing(int from, IntPredicate blocks);

    /**
     * The first from {@code from} on, or else from the beginning, that is missing and does not come
     * from the swarm already.
     *
     * @param blocks which may be read
     */
    OptionalInt unasked(int from, IntPredicate blocks);

    /** Whether a piece is here. */
    boolean has(int piece);

    /** Whether pieces of a block cannot be verified yet. */
    boolean lacksSums(int block);

    void expect(int block, PieceSums sums) throws IOException;

    /**
     * Nothing is asked yet.
     *
     * @param patience of each step
     */
    Replica replica(DatanodeID holder, int block, Duration patience);

    /** So many bytes of a piece have come. */
    void arriving(int bytes);

    /**
     * A piece was read.
     *
     * @return false if it is wrong
     */
    boolean read(int piece, ByteBuffer bytes) throws IOException;

    /** No replica of a block gives what was asked of it. */
    void unreadable(int block);

    /** How many are known to read the file, this one among them. */
    int readers();
  }

  private final Target target;
  private final int start;
  private final int sample;

  /** Far from where the swarm goes on; not at the last piece, which may be too short. */
  private final int sampleStart;

  private final Duration limit;

  // Guarded by this.
  private final Shortfall shortfall;
  private final Set<String> failedHolders = new HashSet<>();
  private final Map<Integer, Long> failedBlocks = new HashMap<>();
  private ImmutableListMultimap<Integer, DatanodeID> holders = ImmutableListMultimap.of();
  private int replication = 1;
  private int readersTold = 1;
  private boolean behind;
  private boolean unknown;
  private boolean patient;
  private boolean running;

  /** Whether this run has told how fast replicas are. */
  private boolean measured;

  private OptionalLong lastProgress = OptionalLong.empty();

  /**
   * @param start piece with which this receiver begins; others begin elsewhere
   * @param limit how much later than from HDFS the file may come
   */
  PlainReads(Target target, int start, Duration limit, long begun) {
    this.target = target;
    this.start = start;
    sample = Math.max(1, SAMPLE / target.layout().pieceLength());
    sampleStart = Math.floorMod(start - sample - 1, target.layout().pieces());
    this.limit = limit;
    shortfall = new Shortfall(limit.toNanos(), begun);
  }

  /** The tracker has said where replicas are, or who else reads. */
  synchronized void heed(JoinResponseProto answer) {
    if (answer.hasReaders()) {
      readersTold = answer.getReaders();
    }
    if (answer.getBlockHoldersCount() == 0) {
      return;
    }
    List<DatanodeID> all = answer.getHoldersList().stream().map(PlainReads::holder).toList();
    ImmutableListMultimap.Builder<Integer, DatanodeID> byBlock = ImmutableListMultimap.builder();
    for (int block = 0; block < answer.getBlockHoldersCount(); block++) {
      for (int holder : answer.getBlockHolders(block).getHoldersList()) {
        byBlock.put(block, all.get(holder));
      }
    }
    holders = byBlock.build();
    replication = Math.max(1, answer.getReplication());
  }

  private static DatanodeID holder(HolderProto proto) {
    return new DatanodeID(
        proto.getAddress(),
        proto.getHostName(),
        proto.getDatanodeUuid(),
        proto.getTransferPort(),
        0,
        0,
        0);
  }

  /** See {@link Shortfall#giveWay}. */
  synchronized void giveWay(boolean yes, long now) {
    shortfall.giveWay(yes, now);
  }

  /** See {@link Shortfall#mayGiveWay}. */
  synchronized boolean mayGiveWay(long now) {
    return shortfall.mayGiveWay(now);
  }

  /** See {@link Shortfall#given}. */
  synchronized long given(long now) {
    return shortfall.given(now);
  }

  /** Whether any replica is known. */
  synchronized boolean isPossible() {
    return !holders.isEmpty();
  }

  /**
   * Called a few times a second.
   *
   * @param arrived bytes of the file, however they came
   * @param idle nanoseconds in which the swarm has brought nothing
   * @return whether it is to be run now, unless it {@linkplain #end ends} without
   */
  synchronized boolean begin(long now, long arrived, long idle) {
    behind = shortfall.isBehind(now, arrived, idle);
    unknown = shortfall.isUnknown(now);
    patient |= unknown;
    if (running || holders.isEmpty() || !behind && !shortfall.wantsSample(now)) {
      return false;
    }
    running = true;
    measured = false;
    return true;
  }

  synchronized void end() {
    running = false;
  }

  /** How many nanoseconds no replica has answered anything. */
  synchronized long idle(long now) {
    return lastProgress.isPresent() ? now - lastProgress.getAsLong() : Long.MAX_VALUE;
  }

  @Override
  public void run() {
    try {
      int most = sample;
      OptionalInt next = next(isSampling() ? sampleStart : start);
      if (next.isEmpty()) {
        return;
      }
      ByteBuffer piece = ByteBuffer.allocate(target.layout().pieceLength());
      int asked = 0;
      while (next.isPresent()) {
        int end = readFrom(next.getAsInt(), most, piece);
        asked += end - next.getAsInt();
        if (isDone(asked)) {
          return;
        }
        most = isSampling() ? sample - asked : Math.min(2 * most, Math.max(sample, MOST_AT_ONCE));
        next = next(end);
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("Reading {} from its replicas failed", target.path(), e);
    } finally {
      end();
    }
  }

  /** As long as nothing is known, what comes from the swarm is read rather than nothing. */
  private OptionalInt next(int from) {
    if (isSampling()) {
      OptionalInt spare = target.unasked(from, this::mayBeRead);
      if (spare.isPresent() || isRateKnown()) {
        return spare;
      }
    }
    return target.missing(from, this::mayBeRead);
  }

  private synchronized boolean isRateKnown() {
    return shortfall.isRateKnown();
  }

  private synchronized boolean isSampling() {
    return !behind && !unknown;
  }

  private synchronized boolean isBehind() {
    return behind;
  }

  /**
   * @param asked pieces
   */
  private synchronized boolean isDone(int asked) {
    return isSampling() && (measured || asked >= sample);
  }

  /** There are other replicas, and little time; but where none answered that is too little. */
  private synchronized Duration patience() {
    return patient ? limit : limit.dividedBy(4);
  }

  private synchronized boolean mayBeRead(int block) {
    Long failedAt = failedBlocks.get(block);
    return holders.containsKey(block)
        && (failedAt == null || System.nanoTime() - failedAt > limit.toNanos() / 2);
  }

  /**
   * @return where to go on
   */
  private int readFrom(int first, int most, ByteBuffer piece) {
    FileLayout layout = target.layout();
    int block = layout.place(first).block();
    int end =
        missingUntil(
            first, Math.min(first + most, layout.firstPiece(block) + layout.cut(block).count()));
    IOException last = null;
    for (DatanodeID holder : holders(block)) {
      try {
        return copy(holder, first, end, piece);
      } catch (IOException e) {
        LOG.debug("{} does not give {}", holder, layout.key(block), e);
        last = e;
      }
      if (target.ended()) {
        return end;
      }
      failed(holder);
    }
    LOG.info("{} of {} cannot be read from its replicas", layout.key(block), target.path(), last);
    failed(block);
    target.unreadable(block);
    return end;
  }

  /** What is asked for beyond a piece that is here would cross the network, and be thrown away. */
  private int missingUntil(int first, int end) {
    int until = first + 1;
    while (until < end && !target.has(until)) {
      until++;
    }
    return until;
  }

  /**
   * A DataNode, if the tracker has named it as one with a replica of a block.
   *
   * @param datanode its UUID
   */
  synchronized Optional<DatanodeID> holder(int block, String datanode) {
    return holders.get(block).stream()
        .filter(holder -> holder.getDatanodeUuid().equals(datanode))
        .findFirst();
  }

  /** Those that have failed come last, as with HDFS's clients. */
  private synchronized List<DatanodeID> holders(int block) {
    List<DatanodeID> sorted = new ArrayList<>(holders.get(block));
    sorted.sort(Comparator.comparing(holder -> failedHolders.contains(holder.getDatanodeUuid())));
    return sorted;
  }

  private synchronized void failed(DatanodeID holder) {
    failedHolders.add(holder.getDatanodeUuid());
  }

  private synchronized void failed(int block) {
    long now = System.nanoTime();
    failedBlocks.put(block, now);
    shortfall.failed(now);
  }

  private int copy(DatanodeID holder, int first, int end, ByteBuffer piece) throws IOException {
    FileLayout layout = target.layout();
    int block = layout.place(first).block();
    BlockPieces cut = layout.cut(block);
    Replica replica = target.replica(holder, block, patience());
    if (target.lacksSums(block)) {
      target.expect(block, replica.sums(cut));
      progressed();
    }
    long position = cut.position(layout.place(first).piece());
    int last = layout.place(end - 1).piece();
    long length = cut.position(last) + cut.length(last) - position;
    try (Replica.Bytes bytes = replica.open(position, length)) {
      progressed();
      Measure measure = new Measure(isBehind());
      int number = first;
      do {
        readFully(bytes, piece.clear().limit(layout.length(number)), measure);
        if (!target.read(number, piece.flip())) {
          replica.doubt(cut.position(layout.place(number).piece()), layout.length(number));
          throw new IOException("piece %d has a wrong checksum".formatted(number));
        }
        number++;
      } while (number < end && isNext(number));
      measured(measure);
      return number;
    }
  }

  /** It has not come otherwise, and nothing is more urgent but to find out how fast HDFS is. */
  private boolean isNext(int piece) {
    return isSampling()
        ? !target.has(piece)
        : target.missing(piece, block -> true).orElse(-1) == piece;
  }

  /** What came after the first packet, which had to wait for the connection. */
  private static final class Measure {
    private final boolean behind;
    private long waited;
    private long first;
    private long last;
    private long bytes;

    /**
     * @param behind whether the swarm was, when it was asked for
     */
    Measure(boolean behind) {
      this.behind = behind;
    }

    void arrived(int slice, long now) {
      if (waited < PACKET) {
        waited += slice;
        first = now;
      } else {
        bytes += slice;
      }
      last = now;
    }
  }

  private void readFully(Replica.Bytes bytes, ByteBuffer piece, Measure measure)
      throws IOException {
    int end = piece.limit();
    while (piece.position() < end) {
      int before = piece.position();
      bytes.readFully(piece.limit(Math.min(end, before + SLICE)));
      measure.arrived(piece.position() - before, System.nanoTime());
      target.arriving(piece.position() - before);
      progressed();
      if (target.ended()) {
        throw new IOException("the file is whole or given up");
      }
    }
  }

  private synchronized void progressed() {
    lastProgress = OptionalLong.of(System.nanoTime());
  }

  private void measured(Measure measure) {
    int readers = target.readers();
    synchronized (this) {
      if (measure.bytes < PACKET) {
        // It came from memory: pieces after it were here already.
        shortfall.readTooLittle(replication, Math.max(readers, readersTold), measure.last);
        return;
      }
      measured = true;
      long nanos = measure.last - measure.first;
      if (measure.behind) {
        shortfall.read(measure.bytes, nanos, measure.last);
      } else {
        shortfall.sampled(
            measure.bytes, nanos, replication, Math.max(readers, readersTold), measure.last);
      }
    }
  }
}
