package io.orchestra.hadoop.broadcast.datanode;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A file as its blocks, cut into pieces that are numbered through the whole file. A piece never
 * spans two blocks. Immutable.
 */
final class FileLayout {
  private final ImmutableList<BlockKey> keys;
  private final ImmutableList<BlockPieces> blocks;
  private final int[] firstPieces;
  private final int pieces;

  /** A piece of a block. */
  record Place(int block, int piece) {}

  /**
   * @param keys of the blocks, in the file's order, at least one
   * @param lengths of the blocks, bytes
   */
  FileLayout(List<BlockKey> keys, List<Long> lengths, int pieceLength) {
    checkArgument(!keys.isEmpty(), "a file without blocks");
    this.keys = ImmutableList.copyOf(keys);
    List<BlockPieces> cut = new ArrayList<>();
    firstPieces = new int[keys.size()];
    int count = 0;
    for (int block = 0; block < keys.size(); block++) {
      firstPieces[block] = count;
      BlockPieces piecesOfBlock = new BlockPieces(lengths.get(block), pieceLength);
      cut.add(piecesOfBlock);
      count = Math.addExact(count, piecesOfBlock.count());
    }
    blocks = ImmutableList.copyOf(cut);
    pieces = count;
  }

  /**
   * @param joined a tracker's answer
   */
  static FileLayout of(String pool, JoinResponseProto joined) {
    List<BlockKey> keys = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    for (BlockProto block : joined.getBlocksList()) {
      keys.add(new BlockKey(pool, block.getId(), block.getGenerationStamp()));
      lengths.add(block.getLength());
    }
    return new FileLayout(keys, lengths, joined.getPieceLength());
  }

  ImmutableList<BlockKey> keys() {
    return keys;
  }

  /** What the file is known by. */
  BlockKey name() {
    return keys.get(0);
  }

  boolean contains(BlockKey block) {
    return keys.contains(block);
  }

  int blocks() {
    return keys.size();
  }

  int pieces() {
    return pieces;
  }

  /** Bytes. */
  long length() {
    return blocks.stream().mapToLong(BlockPieces::blockLength).sum();
  }

  int pieceLength() {
    return blocks.get(0).pieceLength();
  }

  BlockKey key(int block) {
    return keys.get(block);
  }

  /** As HDFS names a block to its clients. */
  ExtendedBlock extended(int block) {
    return key(block).extended(cut(block).blockLength());
  }

  BlockPieces cut(int block) {
    return blocks.get(block);
  }

  /** The number in the file of the first piece of {@code block}. */
  int firstPiece(int block) {
    return firstPieces[block];
  }

  /** Where the piece with number {@code piece} of the file is. */
  Place place(int piece) {
    checkArgument(piece >= 0 && piece < pieces, "no piece %s of %s", piece, pieces);
    int at = Arrays.binarySearch(firstPieces, piece);
    int block = at >= 0 ? at : -at - 2;
    return new Place(block, piece - firstPieces[block]);
  }

  /** Bytes of {@code piece}. */
  int length(int piece) {
    Place place = place(piece);
    return blocks.get(place.block()).length(place.piece());
  }

  @Override
  public String toString() {
    return "the file of " + name();
  }
}
