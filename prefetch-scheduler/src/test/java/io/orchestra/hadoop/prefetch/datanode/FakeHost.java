package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** A host without replicas, which takes all tokens but {@link Orders#badToken}. */
abstract class FakeHost implements Prefetch.Host {
  private final UserBudget room;

  FakeHost(UserBudget room) {
    this.room = room;
  }

  /** What a source gives. */
  Replica replica(SourceProto source) {
    throw new AssertionError("nothing is fetched, also from " + source.getHost());
  }

  /** Unless the copy is interrupted. */
  static void waitFor(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Override
  public void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException {
    if (Orders.isBad(token)) {
      throw new IOException("not a token of this block");
    }
  }

  @Override
  public final Replicas replicas() {
    return new Replicas() {
      @Override
      public boolean isHere(BlockKey block) {
        return false;
      }

      @Override
      public Replica at(SourceProto source, BlockKey block, long length, OptionalInt localPort) {
        return replica(source);
      }
    };
  }

  @Override
  public final UserBudget room() {
    return room;
  }

  @Override
  public final void copied(long bytes) {}
}
