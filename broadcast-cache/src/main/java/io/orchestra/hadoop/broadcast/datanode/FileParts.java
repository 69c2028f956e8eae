package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * What this host has of one file: replicas of some of its blocks, others in the cache. For one
 * user.
 */
final class FileParts implements Closeable {
  private final FileLayout layout;
  private final List<Optional<BlockPart>> parts;

  private FileParts(FileLayout layout, List<Optional<BlockPart>> parts) {
    this.layout = layout;
    this.parts = parts;
  }

  static FileParts open(FileLayout layout, Replicas replicas, BlockCache cache) {
    List<Optional<BlockPart>> parts = new ArrayList<>();
    FileParts opened = new FileParts(layout, parts);
    try {
      for (int block = 0; block < layout.blocks(); block++) {
        BlockKey key = layout.key(block);
        BlockPieces pieces = layout.cut(block);
        parts.add(ReplicaPart.open(replicas, key, pieces).or(() -> cached(cache, key, pieces)));
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static Optional<BlockPart> cached(BlockCache cache, BlockKey key, BlockPieces pieces) {
    Optional<Lease> lease = cache.find(key);
    if (lease.isPresent() && !lease.get().block().pieces().equals(pieces)) {
      lease.get().close();
      return Optional.empty();
    }
    return lease.map(CachedPart::new);
  }

  /** Whether there is nothing of the file, and nothing under way. */
  boolean isEmpty() {
    return parts.stream().allMatch(Optional::isEmpty);
  }

  /**
   * Tells {@code listener} of each piece that comes from now on, by its number in the file.
   *
   * @return the pieces that are here
   */
  BitSet listen(IntConsumer listener) {
    BitSet present = new BitSet();
    for (int block = 0; block < layout.blocks(); block++) {
      int first = layout.firstPiece(block);
      parts
          .get(block)
          .ifPresent(
              part ->
                  part.listen(piece -> listener.accept(first + piece)).stream()
                      .forEach(piece -> present.set(first + piece)));
    }
    return present;
  }

  /** Checksums of a block that this host has a replica of. */
  Optional<PieceSums> ownSums(int block) {
    return parts.get(block).flatMap(BlockPart::ownSums);
  }

  boolean has(int piece) {
    FileLayout.Place place = layout.place(piece);
    return parts.get(place.block()).map(part -> part.has(place.piece())).orElse(false);
  }

  /**
   * @param piece that is here
   * @throws IOException if it cannot be read or taken
   */
  void send(int piece, PieceSink sink) throws IOException {
    FileLayout.Place place = layout.place(piece);
    parts.get(place.block()).orElseThrow().send(place.piece(), sink);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.ifPresent(BlockPart::close));
  }
}
