package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntConsumer;

/** A block in this host's cache, whole or filling. For one user. */
final class CachedPart implements BlockPart {
  private final Lease lease;
  private IntConsumer listener;

  CachedPart(Lease lease) {
    this.lease = lease;
  }

  @Override
  public BitSet listen(IntConsumer newListener) {
    listener = newListener;
    return lease.block().listen(newListener);
  }

  @Override
  public boolean has(int piece) {
    return lease.block().has(piece);
  }

  @Override
  public void send(int piece, PieceSink sink) throws IOException {
    lease.block().send(piece, sink);
  }

  @Override
  public Optional<PieceSums> ownSums() {
    return Optional.empty();
  }

  @Override
  public void close() {
    if (listener != null) {
      lease.block().forget(listener);
    }
    lease.close();
  }
}
