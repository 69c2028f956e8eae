package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlockStoreTest {
  private static final BlockOfBytes BLOCK = BlockOfBytes.random(1000, 300, 1);
  private static final Patience LONG = new Patience(Duration.ofMinutes(1), true);
  private static final Patience SHORT = new Patience(Duration.ofMillis(500), true);

  @TempDir Path directory;
  private final AtomicLong disk = new AtomicLong(Long.MAX_VALUE / 2);
  private BlockStore store;

  @BeforeEach
  void open() throws IOException {
    store = BlockStore.open(new CacheDirectory(directory.resolve("blocks"), disk::get), 2500);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static BlockKey key(long id) {
    return new BlockKey("pool", id, 7);
  }

  private Lease begin(long id) throws IOException {
    return store.begin(key(id), BLOCK.pieces()).orElseThrow();
  }

  private Lease whole(long id) throws IOException {
    Lease lease = begin(id);
    lease.block().expect(BLOCK.sums());
    for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
      assertThat(lease.block().put(piece, BLOCK.piece(piece))).isTrue();
    }
    return lease;
  }

  @Test
  void aBlockThatNobodyHoldsGivesWayToMoreOfIt() throws IOException {
    whole(1).close();
    BlockOfBytes longer = BlockOfBytes.random(1200, 300, 2);
    try (Lease more = store.begin(key(1), longer.pieces()).orElseThrow()) {
      assertThat(more.block().pieces()).isEqualTo(longer.pieces());
      assertThat(more.block().present().isEmpty()).isTrue();
      try (Lease less = begin(1)) {
        assertThat(less.block()).isSameAs(more.block());
      }
      BlockOfBytes longest = BlockOfBytes.random(1500, 300, 3);
      try (Lease same = store.begin(key(1), longest.pieces()).orElseThrow()) {
        assertThat(same.block()).as("it is held").isSameAs(more.block());
      }
    }
  }

  @Test
  void saysWhetherMoreFitsThanOneBlockAndDropsNothingForThat() throws IOException {
    whole(1).close();
    try (Lease unused = whole(2)) {
      assertThat(store.fits(1, 1500)).isTrue();
      assertThat(store.fits(1, 1501)).isFalse();
      assertThat(store.fits(BlockStore.MOST_BLOCKS - 1, 1)).isTrue();
      assertThat(store.fits(BlockStore.MOST_BLOCKS, 1)).isFalse();
    }
    assertThat(store.has(key(1))).isTrue();
    assertThat(store.evictions()).isZero();
  }

  @Test
  void leavesNoFileThatAnybodyCouldOpen() throws IOException {
    try (Lease lease = whole(1)) {
      assertThat(lease.block().complete()).isTrue();
      assertThat(Files.list(directory.resolve("blocks"))).isEmpty();
    }
  }

  @Test
  void aBlockThatIsLongerThanWhatIsHereIsReadElsewhere() throws IOException {
    assertThat(BlockCache.offer(whole(1), read(1001))).isInstanceOf(Offer.Declined.class);
    assertThat(BlockCache.offer(store.find(key(1)).orElseThrow(), read(1000)))
        .isInstanceOfSatisfying(Offer.Filling.class, offer -> offer.lease().close());

    // Neither holds it any more: it makes room.
    for (int other = 2; other < 5; other++) {
      whole(other).close();
    }
    assertThat(store.has(key(1))).isFalse();
  }

  private static ReadRequest read(long visibleLength) {
    return new ReadRequest(key(1), visibleLength, "/file", ReadRequest.Purpose.CHOSEN_PATH, "user");
  }

  @Test
  void givesBackTheBytesOfEveryPiece() throws IOException {
    try (Lease lease = whole(1)) {
      for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
        ByteBuffer read = ByteBuffer.allocate(BLOCK.pieces().length(piece));
        lease.block().send(piece, (file, position, length) -> file.read(read, position));
        assertThat(read.flip()).isEqualTo(BLOCK.piece(piece));
      }
    }
  }

  @Test
  void keepsNoPieceWithAWrongChecksumOrLength() throws IOException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      assertThat(lease.block().put(0, BLOCK.piece(1))).isFalse();
      assertThat(lease.block().put(0, ByteBuffer.allocate(3))).isFalse();
      assertThat(lease.block().present()).isEqualTo(new BitSet());
      assertThat(lease.block().failure()).isEmpty();
    }
  }

  @Test
  void keepsNoPieceBeforeItsChecksumIsKnown() throws IOException {
    try (Lease lease = begin(1)) {
      assertThatThrownBy(() -> lease.block().put(0, BLOCK.piece(0)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void believesTheFirstChecksumsItIsTold() throws IOException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      lease.block().expect(BlockOfBytes.random(1000, 300, 2).sums());
      assertThat(lease.block().put(0, BLOCK.piece(0))).isTrue();
    }
  }

  @Test
  void evictsTheLongestUnusedBlockFirstAndNoneThatIsLeased() throws IOException {
    Lease leased = whole(1);
    whole(2).close();
    assertThat(store.begin(key(3), BLOCK.pieces())).isPresent();
    assertThat(store.find(key(1))).isPresent();
    assertThat(store.find(key(2))).isEmpty();
    assertThat(store.evictions()).isEqualTo(1);
    leased.close();
  }

  @Test
  void beginsNothingThatFindsNoRoom() throws IOException {
    Lease one = whole(1);
    Lease two = whole(2);
    assertThat(store.begin(key(3), BLOCK.pieces())).isEmpty();
    assertThat(store.used()).isEqualTo(2000);
    one.close();
    two.close();
    assertThat(store.begin(key(4), new BlockPieces(2501, 300))).isEmpty();
  }

  @Test
  void dropsNothingIfThatMakesNoRoom() throws IOException {
    Lease one = whole(1);
    whole(2).close();
    assertThat(store.begin(key(3), new BlockPieces(2000, 300))).isEmpty();
    assertThat(store.find(key(2))).isPresent();
    assertThat(store.evictions()).isZero();
    one.close();
  }

  @Test
  void beginsNoMoreThanTheDiskWillTake() throws IOException {
    disk.set(1500);
    try (Lease begun = begin(1)) {
      // Nothing of it is on the disk yet.
      assertThat(store.begin(key(2), BLOCK.pieces())).isEmpty();
      begun.block().expect(BLOCK.sums());
      for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
        begun.block().put(piece, BLOCK.piece(piece));
      }
      disk.set(999);
      assertThat(store.begin(key(2), BLOCK.pieces())).isEmpty();
      disk.set(1000);
      assertThat(store.begin(key(2), BLOCK.pieces())).isPresent();
    }
  }

  @Test
  void evictsForAFullDisk() throws IOException {
    whole(1).close();
    disk.set(500);
    assertThat(store.begin(key(2), BLOCK.pieces())).isPresent();
    assertThat(store.find(key(1))).isEmpty();
    assertThat(store.evictions()).isEqualTo(1);
  }

  @Test
  void goesOnWhenItsDirectoryWasDeleted() throws IOException {
    Files.delete(directory.resolve("blocks"));
    try (Lease lease = whole(1)) {
      assertThat(lease.block().complete()).isTrue();
    }
  }

  @Test
  void beginsAFailedBlockAnew() throws IOException {
    Lease failed = begin(1);
    failed.block().fail("nobody has it");
    assertThat(store.find(key(1))).isEmpty();
    failed.close();
    try (Lease again = begin(1)) {
      assertThat(again.block()).isNotSameAs(failed.block());
      assertThat(store.used()).isEqualTo(1000);
    }
  }

  @Test
  void beginsABlockAnewThatNobodyBringsAnyMore() throws IOException {
    Lease left = begin(1);
    left.close();
    assertThat(store.has(key(1))).isFalse();
    assertThat(store.find(key(1))).isEmpty();
    try (Lease again = begin(1)) {
      assertThat(again.block()).isNotSameAs(left.block());
    }
  }

  @Test
  void goesOnWithABlockThatAnotherStillBrings() throws IOException {
    Lease one = begin(1);
    try (Lease other = begin(1)) {
      one.close();
      assertThat(other.block().failure()).isEmpty();
      assertThat(store.has(key(1))).isTrue();
    }
  }

  @Test
  void failsABlockForWhichTheDiskHasNoRoom() throws IOException {
    FileChannel full =
        FileChannel.open(Path.of("/dev/full"), StandardOpenOption.READ, StandardOpenOption.WRITE);
    CachedBlock block = new CachedBlock(key(1), BLOCK.pieces(), full, System.nanoTime());
    block.expect(BLOCK.sums());
    assertThatThrownBy(() -> block.put(0, BLOCK.piece(0))).isInstanceOf(IOException.class);
    assertThat(block.has(0)).isFalse();
    assertThat(block.failure().orElseThrow()).contains("No space left on device");
    block.close();
  }

  @Test
  void dropsWhatIsIdleAndKeepsWhatIsLeased() throws IOException {
    Lease leased = whole(1);
    whole(2).close();
    store.dropIdle(Duration.ZERO);
    assertThat(store.find(key(1))).isPresent();
    assertThat(store.find(key(2))).isEmpty();
    assertThat(store.evictions()).isZero();
    leased.close();
  }

  @Test
  void askingWhetherABlockIsHereDoesNotKeepIt() throws IOException {
    Lease lease = whole(1);
    lease.close();
    long used = lease.block().lastUse();
    assertThat(store.has(key(1))).isTrue();
    assertThat(lease.block().lastUse()).isEqualTo(used);
  }

  @Test
  void wakesWhoWaitsForAPieceWhenItComes() throws Exception {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      CompletableFuture<Void> waiting = awaiting(lease.block(), 2);
      lease.block().put(2, BLOCK.piece(2));
      assertThat(waiting).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  @Test
  void sendsWhoWaitsForAPieceAwayWhenTheBlockFails() throws Exception {
    try (Lease lease = begin(1)) {
      CompletableFuture<Void> waiting = awaiting(lease.block(), 2);
      lease.block().fail("its peers are gone");
      assertThat(waiting)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableThat()
          .withMessageContaining("its peers are gone");
    }
  }

  @Test
  void whoWaitsForChecksumsForTooLongHastensTheFirstPiece()
      throws IOException, InterruptedException {
    try (Lease lease = begin(1)) {
      CachedBlock block = lease.block();
      List<Integer> urgent = new CopyOnWriteArrayList<>();
      block.listenForWaits(
          piece -> {
            urgent.add(piece);
            block.expect(BLOCK.sums());
          });
      assertThat(block.awaitSums(Duration.ofSeconds(2))).isEqualTo(BLOCK.sums());
      assertThat(urgent).containsExactly(0);
    }
  }

  @Test
  void whatAReaderWaitsForIsToldAtOnce() throws IOException, InterruptedException {
    try (Lease lease = begin(1)) {
      CachedBlock block = lease.block();
      block.expect(BLOCK.sums());
      block.put(0, BLOCK.piece(0));
      Arriving arriving = new Arriving(block);
      block.listenForWaits(arriving);
      block.await(0, LONG, () -> {});
      assertThat(arriving.told).isEmpty();
      block.await(2, LONG, () -> {});
      assertThat(arriving.told).containsExactly(2);
    }
  }

  /** What a reader waits for comes when that is told. */
  private static final class Arriving implements WaitListener {
    private final CachedBlock block;
    private final List<Integer> told = new ArrayList<>();

    Arriving(CachedBlock block) {
      this.block = block;
    }

    @Override
    public void awaited(int piece) {
      told.add(piece);
      try {
        block.put(piece, BLOCK.piece(piece));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void urgent(int piece) {
      throw new AssertionError("it is here");
    }
  }

  private static CompletableFuture<Void> awaiting(CachedBlock block, int piece) {
    return awaiting(block, piece, LONG);
  }

  private static CompletableFuture<Void> awaiting(CachedBlock block, int piece, Patience patience) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            block.await(piece, patience, () -> {});
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e.getMessage(), e);
          }
        });
  }

  @Test
  void saysThatAPieceIsLate() throws IOException {
    try (Lease lease = begin(1)) {
      assertThatThrownBy(() -> lease.block().await(1, SHORT, () -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("piece 1 of pool:blk_1_7");
    }
  }

  @Test
  void whoWaitsHasPatienceAsLongAsTheBlockIsSaidToBeStillComing() {
    TimedReader reader = new TimedReader(BLOCK.pieces(), 2, LONG);
    Duration almost = LONG.limit().minusMillis(1);
    for (int time = 0; time < 5; time++) {
      reader.pass(almost);
      assertThat(reader.end()).isNotDone();
      reader.block().stillComing();
    }
    reader.pass(almost);
    assertThat(reader.end()).isNotDone();
    reader.pass(Duration.ofMillis(1));
    assertThat(reader.end()).failsWithin(Duration.ofSeconds(10));
  }

  @Test
  void whoseInputIsElsewhereTooDoesNotHeedThatABlockIsStillComing() throws IOException {
    try (Lease lease = begin(1)) {
      CompletableFuture<Void> waiting =
          awaiting(lease.block(), 2, new Patience(SHORT.limit(), false));
      await().until(() -> told(lease.block()) && waiting.isCompletedExceptionally());
    }
  }

  @Test
  void aPieceOfWhichBytesComeIsWaitedForThreeTimesAsLong() {
    Duration half = LONG.limit().dividedBy(2);
    TimedReader reader = new TimedReader(BLOCK.pieces(), 2, new Patience(LONG.limit(), false));
    for (int time = 0; time < 5; time++) {
      reader.pass(half);
      reader.block().arriving();
    }
    reader.pass(half.minusMillis(1));
    assertThat(reader.end()).isNotDone();
    reader.block().arriving();
    reader.pass(Duration.ofMillis(1));
    assertThat(reader.end()).failsWithin(Duration.ofSeconds(10));
  }

  /** It comes in order, and HDFS has what is far at once. */
  @Test
  void whoseInputIsElsewhereTooDoesNotWaitForWhatIsFar() throws IOException {
    BlockPieces many = new BlockPieces(100, 1);
    try (Lease lease = store.begin(key(1), many).orElseThrow()) {
      Patience patience = new Patience(Duration.ofSeconds(2), false);
      assertThatThrownBy(() -> lease.block().await(17, patience, () -> {}))
          .hasMessageContaining("will not come soon");
      assertThatThrownBy(() -> lease.block().await(16, patience, () -> {}))
          .hasMessageContaining("has not come in time");
    }
  }

  /** Nobody here wants the rest then. */
  @Test
  void whoBringsABlockHearsWhenItsOnlyReaderLeavesSinceAPieceIsFar() throws IOException {
    AtomicInteger givenUp = new AtomicInteger();
    Patience patience = new Patience(SHORT.limit(), false);
    try (Lease bringer = store.begin(key(1), new BlockPieces(100, 1)).orElseThrow();
        Lease reader = store.find(key(1)).orElseThrow();
        Lease other = store.find(key(1)).orElseThrow()) {
      bringer.block().listenForWaits(new GivenUp(givenUp));
      reader.block().openedByReader();
      other.block().openedByReader();
      assertThatThrownBy(() -> reader.block().await(17, patience, () -> {}))
          .hasMessageContaining("will not come soon");
      assertThat(givenUp).as("another reads it, too").hasValue(0);

      other.block().closedByReader(System.nanoTime());
      other.close();
      assertThatThrownBy(() -> reader.block().await(17, patience, () -> {}))
          .hasMessageContaining("will not come soon");
      assertThat(givenUp).hasValue(1);
    }
  }

  /** As whoever cleans up temporary files may do. */
  @Test
  void roomIsMeasuredWhereTheDirectoryWasAndItIsMadeAgain() throws IOException {
    Path deleted = directory.resolve("a").resolve("deleted");
    try (BlockStore blocks = BlockStore.open(new CacheDirectory(deleted), 2500)) {
      Files.delete(deleted);
      assertThat(blocks.fits(1, 1000)).isTrue();

      try (Lease begun = blocks.begin(key(1), BLOCK.pieces()).orElseThrow()) {
        assertThat(begun.block().failure()).isEmpty();
      }
      assertThat(deleted).isDirectory();
    }
  }

  /** Every map asks for its block, also where it has a replica beside it. */
  @Test
  void aDiskThatHangsHoldsUpNobodyWhoAsksForABlock()
      throws ExecutionException, IOException, InterruptedException, TimeoutException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    CacheDirectory hanging =
        new CacheDirectory(
            directory.resolve("hanging"),
            () -> {
              asked.countDown();
              Uninterruptibles.awaitUninterruptibly(answered);
              return disk.get();
            });
    ExecutorService threads = Executors.newCachedThreadPool();
    try (BlockStore blocks = BlockStore.open(hanging, 2500)) {
      Future<Optional<Lease>> begun = threads.submit(() -> blocks.begin(key(1), BLOCK.pieces()));
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

      Future<Boolean> found = threads.submit(() -> blocks.find(key(2)).isPresent());
      assertThat(found.get(60, TimeUnit.SECONDS)).isFalse();

      answered.countDown();
      assertThat(begun.get(60, TimeUnit.SECONDS)).isPresent();
    } finally {
      answered.countDown();
      threads.shutdown();
    }
  }

  /** Each has a file open. */
  @Test
  void thereAreSoManyBlocksAndNoMore() throws IOException {
    List<Lease> leases = new ArrayList<>();
    BlockPieces tiny = new BlockPieces(1, 1);
    for (int id = 0; id < BlockStore.MOST_BLOCKS; id++) {
      leases.add(store.begin(key(id), tiny).orElseThrow());
    }
    assertThat(store.begin(key(-1), tiny)).isEmpty();

    leases.remove(7).close();

    leases.add(store.begin(key(-1), tiny).orElseThrow());
    assertThat(store.has(key(7))).isFalse();
    assertThat(store.evictions()).isEqualTo(1);
    leases.forEach(Lease::close);
  }

  private static boolean told(CachedBlock block) {
    block.stillComing();
    return true;
  }

  @Test
  void whatIsHereOfASuspendedBlockNeedNotComeAgain() throws IOException {
    Lease begun = begin(1);
    begun.block().expect(BLOCK.sums());
    begun.block().put(0, BLOCK.piece(0));
    CompletableFuture<Void> waiting = awaiting(begun.block(), 2);
    begun.block().suspend("nobody reads it");
    begun.close();
    assertThat(waiting)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withMessageContaining("nobody reads it");
    assertThat(store.find(key(1))).isEmpty();
    store.dropIdle(Duration.ofMinutes(1));

    try (Lease again = begin(1)) {
      assertThat(again.block().present().stream()).containsExactly(0);
      assertThat(store.has(key(1))).isTrue();
      assertThat(store.used()).isEqualTo(1000);
    }
  }

  @Test
  void aSuspendedBlockGoesOnOnlyIfItIsCutAsBeforeAndTheDiskHasRoom() throws IOException {
    suspended(1);
    disk.set(999);
    assertThat(store.begin(key(1), BLOCK.pieces())).isEmpty();
    disk.set(1000);
    Lease suspended = suspended(2);
    try (Lease other = store.begin(key(2), new BlockPieces(1000, 200)).orElseThrow()) {
      assertThat(other.block()).isNotSameAs(suspended.block());
    }
  }

  @Test
  void aSuspendedBlockMakesRoomAsOthersDo() throws IOException {
    suspended(1);
    store.dropIdle(Duration.ZERO);
    assertThat(store.used()).isZero();
  }

  @Test
  void whatASuspendedBlockHasNotBroughtMakesNoRoomOnTheDisk() throws IOException {
    Lease begun = begin(1);
    begun.block().expect(BLOCK.sums());
    begun.block().put(0, BLOCK.piece(0));
    begun.block().suspend("nobody reads it");
    begun.close();
    disk.set(1000 - BLOCK.piece(0).remaining() - 1);

    assertThat(store.begin(key(2), BLOCK.pieces())).isEmpty();

    disk.set(1000 - BLOCK.piece(0).remaining());
    assertThat(store.begin(key(2), BLOCK.pieces())).isPresent();
    assertThat(store.evictions()).isEqualTo(1);
  }

  private Lease suspended(long id) throws IOException {
    Lease lease = begin(id);
    lease.block().suspend("nobody reads it");
    lease.close();
    return lease;
  }

  @Test
  void knowsWhetherAReaderHasABlockOpen() throws IOException {
    try (Lease lease = begin(1)) {
      CachedBlock block = lease.block();
      block.openedByReader();
      block.openedByReader();
      block.closedByReader(100);
      assertThat(block.unread(105)).isZero();
      block.closedByReader(200);
      assertThat(block.unread(205)).isEqualTo(5);
    }
  }

  @Test
  void readersDoNotWaitForABlockThatNobodyBringsAnyMore() throws IOException {
    Lease bringer = begin(1);
    try (Lease reader = store.find(key(1)).orElseThrow();
        Lease later = store.find(key(1)).orElseThrow()) {
      reader.block().openedByReader();
      bringer.close();
      assertThat(reader.block().failure()).as("another might bring it").isEmpty();

      later.block().openedByReader();

      assertThat(reader.block().failure()).hasValue("nobody brings it any more");
      assertThat(store.find(key(1))).as("nobody else waits for it").isEmpty();
    }
  }

  /** One of them, such as a swarm, has failed for reasons of its own. */
  @Test
  void aBlockThatOneOfTwoGivesUpIsFoundWhenTheOtherHasBroughtAllOfIt() throws IOException {
    try (Lease one = begin(1);
        Lease other = store.begin(key(1), BLOCK.pieces()).orElseThrow()) {
      one.block().expect(BLOCK.sums());
      one.block().fail("the swarm has failed");
      assertThat(store.has(key(1))).isFalse();

      for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
        assertThat(other.block().put(piece, BLOCK.piece(piece))).isTrue();
      }

      assertThat(store.has(key(1))).isTrue();
    }
  }

  @Test
  void aBlockThatHasSpoiltStaysSoWhateverComes() throws IOException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
        lease.block().put(piece, BLOCK.piece(piece));
      }
      NamelessFiles.flip(directory, 1);
      assertThat(lease.block().verify(0)).isFalse();

      for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
        lease.block().put(piece, BLOCK.piece(piece));
      }

      assertThat(store.has(key(1))).isFalse();
    }
  }

  @Test
  void aPieceThatTheDiskDoesNotGiveBackSpoilsItsBlock() throws IOException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      lease.block().put(0, BLOCK.piece(0));
      NamelessFiles.truncate(directory, 1);

      assertThat(lease.block().verify(0)).isFalse();

      assertThat(lease.block().failure().orElseThrow()).contains("cannot be read");
    }
  }

  @Test
  void whatSomebodyBringsGoesOnWhoeverReadsIt() throws IOException {
    try (Lease bringer = begin(1);
        Lease reader = store.find(key(1)).orElseThrow()) {
      reader.block().openedByReader();
      reader.block().closedByReader(100);
      reader.close();

      assertThat(bringer.block().failure()).isEmpty();
    }
  }

  @Test
  void tellsWhoAsksThatItIsStillWaiting() throws IOException, InterruptedException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      AtomicInteger told = new AtomicInteger();
      lease
          .block()
          .await(
              2,
              LONG,
              () -> {
                told.incrementAndGet();
                lease.block().put(2, BLOCK.piece(2));
              });
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void waitsNoLongerForWhoIsGone() throws IOException {
    try (Lease lease = begin(1)) {
      assertThatThrownBy(
              () ->
                  lease
                      .block()
                      .await(
                          2,
                          LONG,
                          () -> {
                            throw new IOException("gone");
                          }))
          .hasMessage("gone");
    }
  }

  @Test
  void leavesNoLargeBufferBehindInTheThreadThatWritesOrVerifies() throws IOException {
    BlockOfBytes large = BlockOfBytes.random(16 << 20, 16 << 20, 1);
    try (BlockStore roomy =
            BlockStore.open(new CacheDirectory(directory.resolve("large"), disk::get), 1L << 30);
        Lease lease = roomy.begin(key(1), large.pieces()).orElseThrow()) {
      lease.block().expect(large.sums());
      long before = directMemory();
      assertThat(lease.block().put(0, large.piece(0))).isTrue();
      assertThat(lease.block().verify(0)).isTrue();
      assertThat(directMemory() - before).isLessThan(1 << 20);
    }
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void tellsListenersOfNewPiecesOnly() throws IOException {
    try (Lease lease = begin(1)) {
      lease.block().expect(BLOCK.sums());
      lease.block().put(0, BLOCK.piece(0));
      BitSet heard = new BitSet();
      BitSet before = lease.block().listen(heard::set);
      lease.block().put(0, BLOCK.piece(0));
      lease.block().put(3, BLOCK.piece(3));
      assertThat(before.stream()).containsExactly(0);
      assertThat(heard.stream()).containsExactly(3);
    }
  }

  @Test
  void isClosedToNewBlocksOnceItIsClosed() throws IOException {
    Lease lease = whole(1);
    store.close();
    assertThat(store.begin(key(2), BLOCK.pieces())).isEqualTo(Optional.empty());
    assertThatThrownBy(() -> lease.block().send(0, (file, position, length) -> file.size()))
        .isInstanceOf(IOException.class);
  }
}
