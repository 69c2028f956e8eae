package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.CachedBlock;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import io.orchestra.hadoop.core.blockcache.TestBlocks;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a block that others bring, too. */
final class PrefetchTest {
  private static final long LENGTH = 100;
  private static final int PIECE = 256 << 10;
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);

  private TestBlocks blocks;
  private Lease other;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    blocks = new TestBlocks(directory.resolve("cache"));
    other = blocks.begin(BLOCK, new BlockPieces(LENGTH, 1 << 10)).orElseThrow();
  }

  @AfterEach
  void end() {
    other.close();
    blocks.close();
  }

  @Test
  void readersThatWaitHurryItWhileItGoesOn() throws IOException {
    Prefetch prefetch = new Prefetch(order(LENGTH).build(), new Host(true));
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.FAILED);
    assertThat(prefetch.isHurried()).isTrue();
  }

  @Test
  void theyDoNotWhenItHasEnded() throws IOException, InterruptedException {
    Prefetch prefetch = new Prefetch(order(LENGTH).build(), new Host(false));
    prefetch.run();
    TestBlocks.readInVain(other.block(), 0);

    assertThat(prefetch.isHurried()).isFalse();
  }

  /** It fetches the block itself, over the same link. */
  @Test
  void whenItsLaunchedMapHasGoneToHdfsItEnds() {
    Prefetch prefetch =
        new Prefetch(
            order(LENGTH).setRate(0).setLaunched(true).build(), new GivenUp(other.block(), 0));
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.DECLINED);
    assertThat(prefetch.reason()).isEqualTo("its reader has gone to HDFS");
  }

  /** For that it does not wait: the block comes in order. */
  @Test
  void itEndsAlsoWhenItsLaunchedMapHasGoneToHdfsForWhatIsFar() throws IOException {
    BlockKey many = new BlockKey("pool", 2, 1);
    try (Lease lease = blocks.begin(many, new BlockPieces(LENGTH, 1)).orElseThrow()) {
      Prefetch prefetch =
          new Prefetch(
              Orders.order(1, many, LENGTH)
                  .setRate(0)
                  .setLaunched(true)
                  .addSources(Orders.source("source"))
                  .build(),
              new GivenUp(lease.block(), 50));
      prefetch.run();

      assertThat(prefetch.state()).isEqualTo(State.DECLINED);
      assertThat(prefetch.reason()).isEqualTo("its reader has gone to HDFS");
    }
  }

  /** Before its map is launched; without CARDINAL nothing is paced. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void whoeverElseLooksIntoTheBlockHasNoSay(long rate) {
    Prefetch prefetch =
        new Prefetch(order(LENGTH).setRate(rate).build(), new GivenUp(other.block(), 0));
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.ARRIVED);
  }

  /** A piece may take longer than they wait for a source that is gone. */
  @Test
  void readersAreToldOfEachPartOfAPiece() throws IOException {
    BlockKey slow = new BlockKey("pool", 2, 1);
    try (Lease lease = blocks.begin(slow, new BlockPieces(PIECE, PIECE)).orElseThrow()) {
      InParts host = new InParts(lease.block());
      new Prefetch(
              Orders.order(1, slow, PIECE).setRate(0).addSources(Orders.source("source")).build(),
              host)
          .run();

      assertThat(host.isTold).containsExactly(false, true, true, true);
    }
  }

  /** Its map will not meet it any more, and HDFS's client in it not tell the NameNode. */
  @Test
  void aReplicaThatGivesWrongBytesIsDoubted() {
    Rotten host = new Rotten();
    Prefetch prefetch = new Prefetch(order(LENGTH).setRate(0).build(), host);
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.FAILED);
    assertThat(host.doubted).containsExactly("0 100");
  }

  /** Another that fills the same block, and its readers, need the file. */
  @Test
  void aCopyThatIsCancelledLeavesTheFileOpen() throws IOException {
    Cancelled host = new Cancelled();
    Prefetch prefetch = new Prefetch(order(LENGTH).setRate(0).build(), host);
    host.prefetch = prefetch;
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.DECLINED);
    assertThat(prefetch.reason()).isEqualTo("made up");
    assertThat(Thread.interrupted()).as("its thread is as it was").isFalse();
    assertThat(other.block().failure()).isEmpty();
    assertThat(other.block().put(0, ByteBuffer.allocate((int) LENGTH))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {LENGTH - 1, LENGTH + 1})
  void whileItIsHereWithAnotherLengthItMayBeTriedAgain(long length) throws IOException {
    Host host = new Host(false);
    Prefetch prefetch = new Prefetch(order(length).build(), host);
    prefetch.run();

    assertThat(prefetch.state()).isEqualTo(State.NO_ROOM);
    assertThat(host.room().taken()).isZero();
  }

  private static StartProto.Builder order(long length) {
    return Orders.order(1, BLOCK, length).setRate(1).addSources(Orders.source("source"));
  }

  /** A host that keeps blocks in the cache of this test. */
  private abstract class CachingHost extends FakeHost {
    private CachingHost() {
      this(new UserBudget(1000, 1000));
    }

    private CachingHost(UserBudget room) {
      super(room);
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return blocks.begin(block, pieces);
    }
  }

  /** A reader waits in vain while its source is asked. */
  private final class GivenUp extends CachingHost {
    private final CachedBlock block;
    private final int piece;

    private GivenUp(CachedBlock block, int piece) {
      this.block = block;
      this.piece = piece;
    }

    @Override
    Replica replica(SourceProto source) {
      try {
        TestBlocks.readInVain(block, piece);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new ZeroReplica() {};
    }
  }

  /** Cancelled by another thread while bytes come. */
  private final class Cancelled extends CachingHost {
    private Prefetch prefetch;

    @Override
    Replica replica(SourceProto source) {
      return new ZeroReplica() {
        @Override
        void reading(int given) {
          prefetch.cancel("made up");
        }
      };
    }
  }

  /** Sees before each part whether readers have been told since the one before. */
  private final class InParts extends CachingHost {
    private final CachedBlock block;
    private final List<Boolean> isTold = new ArrayList<>();
    private long before = Long.MAX_VALUE;

    private InParts(CachedBlock block) {
      super(new UserBudget(PIECE, PIECE));
      this.block = block;
    }

    @Override
    Replica replica(SourceProto source) {
      return new ZeroReplica() {
        @Override
        void reading(int given) {
          isTold.add(TestBlocks.lastBytes(block) >= before);
          before = System.nanoTime();
        }
      };
    }
  }

  /** Its only source has rotted. */
  private final class Rotten extends CachingHost {
    private final List<String> doubted = new ArrayList<>();

    @Override
    Replica replica(SourceProto source) {
      return new ZeroReplica() {
        @Override
        void give(ByteBuffer target) {
          while (target.hasRemaining()) {
            target.put((byte) 1);
          }
        }

        @Override
        public void doubt(long position, long length) {
          doubted.add(position + " " + length);
        }
      };
    }
  }

  /** Its only source gives nothing, after a reader has waited for it or not. */
  private final class Host extends CachingHost {
    private final boolean isAwaited;

    private Host(boolean isAwaited) {
      this.isAwaited = isAwaited;
    }

    @Override
    Replica replica(SourceProto source) {
      return new Broken();
    }

    private final class Broken implements Replica {
      @Override
      public PieceSums sums(BlockPieces pieces) throws IOException {
        try {
          if (isAwaited) {
            TestBlocks.readInVain(other.block(), 0);
          }
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
        throw new IOException("made up");
      }

      @Override
      public Bytes open(long position, long length) {
        throw new AssertionError("without sums nothing is read");
      }

      @Override
      public void doubt(long position, long length) {
        throw new AssertionError("without sums nothing is read");
      }
    }
  }
}
