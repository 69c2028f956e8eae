package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.WaitListener;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks of one file that are coming into the cache of this host; the others are here as
 * replicas. Pieces are numbered through the whole file. Safe for concurrent use.
 */
final class IncomingBlocks implements Closeable {
  private final FileLayout layout;
  private final ImmutableMap<Integer, Lease> leases;

  // Guarded by this.
  private final Map<Integer, WaitListener> waitListeners = new HashMap<>();

  /**
   * @param leases by number of the block
   */
  IncomingBlocks(FileLayout layout, Map<Integer, Lease> leases) {
    this.layout = layout;
    this.leases = ImmutableMap.copyOf(leases);
  }

  FileLayout layout() {
    return layout;
  }

  List<CachedBlock> blocks() {
    return leases.values().stream().map(Lease::block).toList();
  }

  /** Pieces that need not come. */
  BitSet here() {
    BitSet here = new BitSet();
    for (int block = 0; block < layout.blocks(); block++) {
      int first = layout.firstPiece(block);
      Lease lease = leases.get(block);
      if (lease == null) {
        here.set(first, first + layout.cut(block).count());
      } else {
        lease.block().present().stream().forEach(piece -> here.set(first + piece));
      }
    }
    return here;
  }

  boolean isComing(int block) {
    return leases.containsKey(block);
  }

  /** Empty as long as pieces of the block cannot be verified, and if it need not come. */
  Optional<PieceSums> sums(int block) {
    Lease lease = leases.get(block);
    return lease == null ? Optional.empty() : lease.block().sums();
  }

  /** Whether no piece at all can be verified yet. */
  boolean lackAllSums() {
    return blocks().stream().allMatch(block -> block.sums().isEmpty());
  }

  /**
   * @param block that is coming, without sums
   */
  void expect(int block, PieceSums sums) {
    leases.get(block).block().expect(sums);
  }

  /**
   * @param piece of a block that is coming and has sums
   * @return false if it is wrong
   * @throws IOException if the disk refuses; the block has failed then
   */
  boolean keep(int piece, ByteBuffer bytes) throws IOException {
    FileLayout.Place place = layout.place(piece);
    return leases.get(place.block()).block().put(place.piece(), bytes);
  }

  /**
   * @param listener hears of the pieces that readers wait for, until all is closed
   */
  synchronized void listenForWaits(WaitListener listener) {
    leases.forEach(
        (block, lease) -> {
          WaitListener own = new WaitsOfBlock(layout.firstPiece(block), listener);
          waitListeners.put(block, own);
          lease.block().listenForWaits(own);
        });
  }

  /**
   * @param first piece of the block
   * @param ofFile hears of its pieces by their number in the file
   */
  private record WaitsOfBlock(int first, WaitListener ofFile) implements WaitListener {
    @Override
    public void awaited(int piece) {
      ofFile.awaited(first + piece);
    }

    @Override
    public void urgent(int piece) {
      ofFile.urgent(first + piece);
    }
  }

  /** What is missing gets on, so that it is worth waiting for. */
  void stillComing() {
    blocks().forEach(CachedBlock::stillComing);
  }

  /** How long no reader of this host has had any of the blocks open, nanoseconds. */
  long unread(long now) {
    return blocks().stream().mapToLong(block -> block.unread(now)).min().orElse(0);
  }

  /** What is missing does not come for now; what has come stays for whoever begins them again. */
  void suspend(String reason) {
    blocks().forEach(block -> block.suspend(reason));
  }

  /** Readers need not wait for what is missing. */
  void fail(String reason) {
    blocks().forEach(block -> block.fail(reason));
  }

  @Override
  public synchronized void close() {
    waitListeners.forEach((block, listener) -> leases.get(block).block().forgetWaits(listener));
    waitListeners.clear();
    leases.values().forEach(Lease::close);
  }
}
