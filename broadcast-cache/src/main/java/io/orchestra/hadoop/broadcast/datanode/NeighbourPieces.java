package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.primitives.Ints;
import io.orchestra.hadoop.broadcast.algorithm.PieceScheduler;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.SumsProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which pieces of a file the neighbours of a download have. The scheduler hears of those that can
 * be verified; those of a block whose checksums nobody has told yet are kept until somebody does.
 *
 * <p>Not safe for concurrent use.
 */
final class NeighbourPieces {
  /** Two DataNodes have told different checksums of a block that both have a replica of. */
  static final class ReplicasDisagree extends IOException {
    private static final long serialVersionUID = 1L;

    ReplicasDisagree(String block) {
      super("the replicas of %s have different checksums".formatted(block));
    }
  }

  private final FileLayout layout;
  private final IncomingBlocks incoming;
  private final PieceScheduler<NeighbourConnection> scheduler;
  private final Map<NeighbourConnection, BitSet> has = new HashMap<>();

  /** Blocks that each neighbour has a replica of. */
  private final Map<NeighbourConnection, Set<Integer>> replicas = new HashMap<>();

  private final BitSet verifiable = new BitSet();

  NeighbourPieces(IncomingBlocks incoming, PieceScheduler<NeighbourConnection> scheduler) {
    layout = incoming.layout();
    this.incoming = incoming;
    this.scheduler = scheduler;
    for (int block = 0; block < layout.blocks(); block++) {
      if (incoming.sums(block).isPresent()) {
        becomesVerifiable(block);
      }
    }
  }

  /**
   * A neighbour says what it has. Checksums of a block are believed of those only whom the tracker
   * knows to have a replica of it.
   *
   * @throws ReplicasDisagree if another DataNode has told other checksums
   * @throws IOException if the checksums do not fit the file
   */
  void welcomed(NeighbourConnection from, HelloResponseProto welcome) throws IOException {
    BitSet pieces = NeighbourConnection.pieces(welcome, layout);
    has.put(from, pieces);
    Set<Integer> replicated = new HashSet<>();
    for (SumsProto sums : welcome.getSumsList()) {
      replicated.add(sums.getBlock());
      if (from.replicas().contains(sums.getBlock())) {
        expect(sums.getBlock(), sums(sums));
      }
    }
    replicas.put(from, replicated);
    if (from.role() != Role.SUMS_ONLY) {
      BitSet usable = (BitSet) pieces.clone();
      usable.and(verifiable);
      scheduler.join(from, from.place(), usable);
    }
  }

  /**
   * Checksums of a block that are to be believed.
   *
   * @throws ReplicasDisagree if another DataNode has told other checksums
   */
  void expect(int block, PieceSums sums) throws ReplicasDisagree {
    if (!incoming.isComing(block)) {
      return;
    }
    Optional<PieceSums> known = incoming.sums(block);
    if (known.isEmpty()) {
      incoming.expect(block, sums);
      becomesVerifiable(block);
    } else if (!same(known.get(), sums)) {
      // One replica is rotten; HDFS's client finds out which, and tells the NameNode.
      throw new ReplicasDisagree(layout.key(block).toString());
    } else if (!verifiable.get(layout.firstPiece(block))) {
      // Somebody else who brings the block has told them.
      becomesVerifiable(block);
    }
  }

  private PieceSums sums(SumsProto proto) throws IOException {
    int block = proto.getBlock();
    PieceSums.Kind kind =
        switch (proto.getKind()) {
          case CRC32 -> PieceSums.Kind.CRC32;
          case CRC32C -> PieceSums.Kind.CRC32C;
        };
    try {
      return new PieceSums(kind, layout.cut(block), Ints.toArray(proto.getSumsList()));
    } catch (IllegalArgumentException e) {
      throw new IOException("checksums that do not fit block " + layout.key(block), e);
    }
  }

  private static boolean same(PieceSums one, PieceSums other) {
    return one.kind() == other.kind() && Arrays.equals(one.sums(), other.sums());
  }

  private void becomesVerifiable(int block) {
    int first = layout.firstPiece(block);
    int end = first + layout.cut(block).count();
    verifiable.set(first, end);
    has.forEach(
        (neighbour, pieces) ->
            pieces.stream()
                .filter(piece -> piece >= first && piece < end)
                .forEach(piece -> scheduler.gained(neighbour, piece)));
  }

  void gained(NeighbourConnection from, List<Integer> pieces) {
    BitSet known = has.get(from);
    for (int piece : pieces) {
      known.set(piece);
      if (verifiable.get(piece)) {
        scheduler.gained(from, piece);
      }
    }
  }

  void refused(NeighbourConnection from, int piece) {
    has.get(from).clear(piece);
    scheduler.refused(from, piece);
  }

  void left(NeighbourConnection neighbour) {
    has.remove(neighbour);
    replicas.remove(neighbour);
    scheduler.leave(neighbour);
  }

  /** How many of the neighbours do not have all of the file. */
  int readers() {
    return (int)
        has.values().stream().filter(pieces -> pieces.cardinality() < layout.pieces()).count();
  }

  boolean hasReplica(NeighbourConnection neighbour, int block) {
    return replicas.getOrDefault(neighbour, Set.of()).contains(block);
  }
}
