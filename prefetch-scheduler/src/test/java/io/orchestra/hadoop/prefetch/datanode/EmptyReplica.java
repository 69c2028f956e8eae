package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.IOException;

/** Gives no sums, however long that takes it, and so is never read. */
final class EmptyReplica implements Replica {
  /** What happens when it is asked. */
  interface Request {
    void arrive() throws IOException;
  }

  private final Request request;

  EmptyReplica(Request request) {
    this.request = request;
  }

  @Override
  public PieceSums sums(BlockPieces pieces) throws IOException {
    request.arrive();
    throw new IOException("made up");
  }

  @Override
  public Bytes open(long position, long length) {
    throw new AssertionError("without sums nothing is read");
  }

  @Override
  public void doubt(long position, long length) {}
}
