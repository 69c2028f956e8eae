package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockHoldersProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.HolderProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.PieceSums;
import io.orchestra.hadoop.core.blockcache.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.Test;

final class PlainReadsTest {
  private static final int PIECE = 64 << 10;
  private static final int PIECES = 40;

  /** A machine stands still for less: what has failed is left alone by the real clock. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final long LONG = LIMIT.toNanos();
  private static final int LAST = 2 * PIECES - 1;

  private final FakeFile file = new FakeFile();
  private final long begun = System.nanoTime();
  private final PlainReads reads = new PlainReads(file, 0, LIMIT, begun);

  @Test
  void nothingIsReadAsLongAsNoReplicaIsKnown() {
    assertThat(reads.isPossible()).isFalse();
    assertThat(reads.begin(begun + LONG, 0, LONG)).isFalse();
  }

  @Test
  void aLittleIsReadNowAndThenToFindOutHowFastThatIs() {
    reads.heed(holders(2));
    assertThat(reads.begin(begun + LONG - 1, 1 << 20, 0)).isFalse();
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).as("at once").isFalse();
    reads.run();
    assertThat(file.read)
        .as("far from where the swarm has begun")
        .containsExactly(LAST - 4, LAST - 3, LAST - 2, LAST - 1);
    assertThat(file.arrived).isEqualTo(4 * PIECE);
  }

  @Test
  void whatComesFromTheSwarmIsNotASampleOnceSomethingIsKnown() {
    reads.heed(holders(2));
    file.underWay.set(0, 2 * PIECES);
    file.underWay.clear(5, 9);
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.read).containsExactly(5, 6, 7, 8);

    assertThat(reads.begin(System.nanoTime() + LONG, Long.MAX_VALUE, 0)).isTrue();
    reads.run();
    assertThat(file.read).as("of what is under way").hasSize(4);
  }

  /** Or a file of which all is under way, and little comes, would never be behind. */
  @Test
  void asLongAsNothingIsKnownWhatComesFromTheSwarmIsASampleToo() {
    reads.heed(holders(2));
    file.underWay.set(0, 2 * PIECES);
    assertThat(reads.begin(begun + LONG, 0, 0)).isTrue();
    reads.run();
    assertThat(file.read).hasSize(4);

    assertThat(reads.begin(System.nanoTime() + 2 * LONG, 0, 0)).isTrue();
    reads.run();
    assertThat(file.have.cardinality()).as("it is behind").isEqualTo(2 * PIECES);
  }

  @Test
  void aSampleGoesOnAlsoWhileAReaderWaitsForAnotherPiece() {
    reads.heed(holders(2));
    file.urgent.add(30);
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.lengths).containsExactly(4L * PIECE);
    assertThat(file.read).hasSize(4).doesNotContain(30);
  }

  @Test
  void whenTheSwarmBringsNothingAllIsReadAndWhatAReaderWaitsForFirst() {
    reads.heed(holders(2));
    file.urgent.add(30);
    assertThat(reads.begin(begun + LONG, 0, LONG)).isTrue();
    reads.run();
    assertThat(file.read.subList(0, 4)).containsExactly(30, 31, 32, 33);
    assertThat(file.have.cardinality()).isEqualTo(2 * PIECES);
    assertThat(reads.begin(begun + LONG, 0, LONG)).as("it has ended").isTrue();
  }

  @Test
  void whatComesOtherwiseIsNotReadAgain() {
    reads.heed(holders(2));
    file.have.set(2, 2 * PIECES);
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(file.read).containsExactly(0, 1);
  }

  /** What a replica sends beyond that would be thrown away. */
  @Test
  void noMoreIsAskedForThanIsMissing() {
    reads.heed(holders(2));
    file.have.set(2, 3);
    file.have.set(4, 2 * PIECES);
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(file.lengths).containsExactly(2L * PIECE, 1L * PIECE);
  }

  /** HDFS's client gives out the first packet when it is here: its bytes come at once then. */
  @Test
  void howFastReplicasAreIsNotToldByOnePacket() {
    reads.heed(holders(2));
    file.have.set(1, 2 * PIECES);
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.read).containsExactly(0);
    boolean unused = reads.begin(begun + LONG + LONG / 2, 1, 0);
    assertThat(reads.mayGiveWay(begun + LONG + LONG / 2))
        .as("it is not behind a replica that seems to be as fast as memory")
        .isTrue();
  }

  @Test
  void aSampleGoesOnUntilItTellsSomethingButNotForLong() {
    reads.heed(holders(2));
    for (int piece = 1; piece < 2 * PIECES; piece += 2) {
      file.have.set(piece);
    }
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.read).containsExactly(LAST - 3, LAST - 1, 0, 2);

    file.have.set(4);
    file.have.set(6);
    file.have.clear(9, 12);
    assertThat(reads.begin(begun + 3 * LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.read.subList(4, file.read.size())).containsExactly(8, 9, 10, 11);
  }

  @Test
  void aHolderThatHasFailedIsTriedLastFromThenOn() {
    reads.heed(holders(2));
    file.dead.add("first");
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(file.have.cardinality()).isEqualTo(2 * PIECES);
    assertThat(file.asked.stream().filter("first"::equals)).hasSize(1);
  }

  @Test
  void whereNoSampleComesForTheLimitAllIsReadWithMorePatience() {
    reads.heed(holders(2));
    file.dead.addAll(Set.of("first", "second"));
    assertThat(reads.begin(begun + LONG, 1 << 20, 0)).isTrue();
    reads.run();
    assertThat(file.patiences).hasSize(2).containsOnly(LIMIT.dividedBy(4));

    file.patiences.clear();
    file.dead.clear();
    assertThat(reads.begin(begun + 3 * LONG, 1 << 20, 0)).isTrue();
    reads.run();
    // The second block, of which the sample was to be, is left alone for a while.
    assertThat(file.have.nextClearBit(0)).isEqualTo(PIECES);
    assertThat(file.have.cardinality()).isEqualTo(PIECES);
    assertThat(file.patiences).containsOnly(LIMIT);
  }

  @Test
  void aReplicaWithWrongBytesIsLeftForAnother() {
    reads.heed(holders(2));
    file.rotten.add("first");
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(file.have.cardinality()).isEqualTo(2 * PIECES);
    assertThat(file.doubted)
        .as("the NameNode may have to be told")
        .first()
        .isEqualTo("first 0 " + PIECE);
    assertThat(file.doubted).allMatch(each -> each.startsWith("first "));
  }

  @Test
  void oneBlockThatCannotBeReadDoesNotKeepTheOthersFromBeingRead() {
    // Of the first block no holder is left.
    reads.heed(
        JoinResponseProto.newBuilder()
            .addHolders(holder("first"))
            .addHolders(holder("second"))
            .addBlockHolders(BlockHoldersProto.newBuilder().addHolders(0))
            .addBlockHolders(BlockHoldersProto.newBuilder().addHolders(1))
            .build());
    file.dead.add("first");
    file.urgent.add(3);
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(file.have.nextSetBit(0)).isEqualTo(PIECES);
    assertThat(file.have.cardinality()).isEqualTo(PIECES);
    assertThat(file.unreadable).containsExactly(0);
  }

  @Test
  void whoSaysWhatItIsDoingIsNotIdle() {
    assertThat(reads.idle(System.nanoTime())).isEqualTo(Long.MAX_VALUE);
    reads.heed(holders(2));
    reads.begin(begun + LONG, 0, LONG);
    reads.run();
    assertThat(reads.idle(System.nanoTime())).isLessThan(LONG);
  }

  private static JoinResponseProto holders(int blocks) {
    JoinResponseProto.Builder answer =
        JoinResponseProto.newBuilder().addHolders(holder("first")).addHolders(holder("second"));
    for (int block = 0; block < blocks; block++) {
      answer.addBlockHolders(BlockHoldersProto.newBuilder().addHolders(0).addHolders(1));
    }
    return answer.build();
  }

  private static HolderProto holder(String name) {
    return HolderProto.newBuilder()
        .setDatanodeUuid(name)
        .setAddress("10.0.0.1")
        .setHostName(name)
        .setTransferPort(9866)
        .build();
  }

  /** Two blocks, of which nothing is here. */
  private static final class FakeFile implements PlainReads.Target {
    private final FileLayout layout =
        new FileLayout(
            List.of(new BlockKey("pool", 1, 1), new BlockKey("pool", 2, 1)),
            List.of((long) PIECES * PIECE, (long) PIECES * PIECE),
            PIECE);
    private final BitSet have = new BitSet();
    private final BitSet underWay = new BitSet();
    private final Set<Integer> urgent = new HashSet<>();
    private final Set<String> dead = new HashSet<>();
    private final Set<String> rotten = new HashSet<>();
    private final List<Integer> read = new ArrayList<>();
    private long arrived;
    private final List<Integer> unreadable = new ArrayList<>();
    private final List<String> doubted = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Duration> patiences = new ArrayList<>();
    private final List<Long> lengths = new ArrayList<>();

    @Override
    public FileLayout layout() {
      return layout;
    }

    @Override
    public String path() {
      return "/file";
    }

    @Override
    public boolean ended() {
      return false;
    }

    @Override
    public OptionalInt missing(int from, IntPredicate blocks) {
      return IntStream.concat(
              urgent.stream().mapToInt(Integer::intValue),
              IntStream.concat(IntStream.range(from, 2 * PIECES), IntStream.range(0, from)))
          .filter(piece -> piece < 2 * PIECES && !have.get(piece))
          .filter(piece -> blocks.test(layout.place(piece).block()))
          .findFirst();
    }

    @Override
    public OptionalInt unasked(int from, IntPredicate blocks) {
      return IntStream.concat(IntStream.range(from, 2 * PIECES), IntStream.range(0, from))
          .filter(piece -> piece < 2 * PIECES && !have.get(piece) && !underWay.get(piece))
          .filter(piece -> blocks.test(layout.place(piece).block()))
          .findFirst();
    }

    @Override
    public boolean has(int piece) {
      return have.get(piece);
    }

    @Override
    public void arriving(int bytes) {
      arrived += bytes;
    }

    @Override
    public boolean lacksSums(int block) {
      return false;
    }

    @Override
    public void expect(int block, PieceSums sums) {}

    @Override
    public Replica replica(DatanodeID holder, int block, Duration patience) {
      String name = holder.getDatanodeUuid();
      asked.add(name);
      patiences.add(patience);
      return new Replica() {
        @Override
        public void doubt(long position, long length) {
          doubted.add(name + " " + position + " " + length);
        }

        @Override
        public PieceSums sums(BlockPieces pieces) {
          throw new AssertionError("they are known");
        }

        @Override
        public Bytes open(long position, long length) throws IOException {
          lengths.add(length);
          if (dead.contains(name)) {
            throw new IOException("nobody is there");
          }
          return new Bytes() {
            @Override
            public void readFully(ByteBuffer target) {
              while (target.hasRemaining()) {
                target.put((byte) (rotten.contains(name) ? 0 : 1));
              }
            }

            @Override
            public void close() {}
          };
        }
      };
    }

    @Override
    public boolean read(int piece, ByteBuffer bytes) {
      if (bytes.get(0) == 0) {
        return false;
      }
      urgent.remove(piece);
      have.set(piece);
      read.add(piece);
      return true;
    }

    @Override
    public void unreadable(int block) {
      unreadable.add(block);
    }

    @Override
    public int readers() {
      return 1;
    }
  }
}
