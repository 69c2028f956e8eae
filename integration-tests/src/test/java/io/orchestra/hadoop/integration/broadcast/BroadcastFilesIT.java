package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.ShownTokens;
import io.orchestra.hadoop.integration.broadcast.BroadcastCluster.Work;
import io.orchestra.hadoop.integration.broadcast.LyingPeer.Lie;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Files that are small, large, too large, or change while they are read. */
final class BroadcastFilesIT {
  private static final int SIZE = 5 * BroadcastCluster.BLOCK / 2 + 17;
  private static final String REPLACED = "/directory/file";
  private static final String FILLER = "io.orchestra.hadoop.broadcast.datanode.SwarmFiller";

  @Test
  void smallAndEmptyFilesAreReadFromHdfsWithoutAskingTheTracker() throws Exception {
    int files = 50;
    try (BroadcastCluster cluster = start()) {
      List<byte[]> written = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        written.add(cluster.write("/small/" + file, 10_000, 1));
      }
      byte[] empty = cluster.write("/empty", 0, 1);
      addReceivers(cluster, 1);
      Work<List<byte[]>> readAll =
          client -> {
            List<byte[]> read = new ArrayList<>();
            for (int file = 0; file < files; file++) {
              try (FSDataInputStream in = client.open(new Path("/small/" + file))) {
                read.add(in.readAllBytes());
              }
            }
            return read;
          };
      for (int host = 0; host < 2; host++) {
        List<byte[]> read = result(cluster.asLocalizer(host, readAll));
        assertThat(Arrays.deepEquals(read.toArray(), written.toArray())).isTrue();
        assertThat(equal(cluster.localize(host, "/empty"), empty)).isTrue();
      }
      assertThat(Metrics.sum("OrchestraBlockCache", "DeclinedASmallFile")).isEqualTo(2L * files);
      assertThat(Metrics.required("OrchestraSwarmTracker", "Joins")).isZero();
      assertThat(cluster.report().required("declines")).isEmpty();
      cluster.assertNothingFromCaches();
    }
  }

  /** With the least length of files that is shipped. */
  @Test
  void aFileArrivesAsASwarmAlsoIfItsBlocksAreShort() throws Exception {
    int size = 20_000_000;
    Configuration conf = BroadcastCluster.patient();
    conf.set("dfs.blocksize", "4m");
    conf.unset("orchestra.broadcast.min-file-size");
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      byte[] content = cluster.write("/file", size, 1);
      byte[] oneBlock = cluster.write("/one-block", 4 << 20, 1);
      addReceivers(cluster, 1);
      assertThat(equal(cluster.localize(1, "/file"), content)).isTrue();
      cluster.awaitBytesFromCaches(size);
      assertThat(equal(cluster.localize(1, "/one-block"), oneBlock)).isTrue();
      cluster.awaitBytesFromCaches(size);
      assertThat(cluster.report().path("declines").path("a small file").asInt()).isOne();
    }
  }

  /** With the timeouts and the length of pieces that are shipped. */
  @Test
  void aFileOfOneGigabyteArrivesWhole() throws Exception {
    int megabytes = 1024;
    Configuration conf = BroadcastCluster.configuration();
    conf.set("dfs.blocksize", "128m");
    conf.unset("orchestra.broadcast.piece-size");
    conf.unset("orchestra.broadcast.stall-timeout");
    conf.set("orchestra.block-cache.capacity", "2g");
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      long sum = writeLarge(cluster, "/large", megabytes);
      addReceivers(cluster, 2);
      List<CompletableFuture<Long>> sums =
          List.of(
              cluster.asLocalizer(1, client -> sum(client.open(new Path("/large")))),
              cluster.asLocalizer(2, client -> sum(client.open(new Path("/large")))));
      for (CompletableFuture<Long> read : sums) {
        assertThat(result(read)).isEqualTo(sum);
      }
      cluster.awaitBytesFromCaches((2L * megabytes) << 20);
    }
  }

  private static long writeLarge(BroadcastCluster cluster, String path, int megabytes)
      throws IOException {
    Random random = new Random(1);
    byte[] megabyte = new byte[1 << 20];
    CRC32C sum = new CRC32C();
    try (OutputStream out =
        new CheckedOutputStream(cluster.files().create(new Path(path), (short) 1), sum)) {
      for (int written = 0; written < megabytes; written++) {
        random.nextBytes(megabyte);
        out.write(megabyte);
      }
    }
    return sum.getValue();
  }

  private static long sum(FSDataInputStream file) throws IOException {
    CRC32C sum = new CRC32C();
    try (CheckedInputStream in = new CheckedInputStream(file, sum)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return sum.getValue();
  }

  @Test
  void aFileForWhichThereIsNoRoomIsReadFromHdfsAndTheLogSaysSoOnce() throws Exception {
    Configuration conf = BroadcastCluster.configuration();
    conf.set("orchestra.block-cache.capacity", "6m");
    conf.set("orchestra.block-cache.share-per-user", "1");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(FILLER));
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      byte[] held = cluster.write("/held", 2 * BroadcastCluster.BLOCK, 1);
      byte[] content = cluster.write("/file", SIZE, 1);
      byte[] larger = cluster.write("/larger", 4 * BroadcastCluster.BLOCK, 1);
      addReceivers(cluster, 1);
      HalfRead half = new HalfRead("/held", 1);
      CompletableFuture<byte[]> holder = cluster.asLocalizer(1, half);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Metrics.sum("OrchestraSwarmPeer", "SwarmsCompleted") == 1);

      assertThat(equal(cluster.localize(1, "/file"), content)).isTrue();
      assertThat(equal(cluster.localize(1, "/larger"), larger)).isTrue();
      // Once for each block, and nobody has waited for blocks that were begun and left.
      assertThat(Metrics.beginningWith("OrchestraBlockCache", "Declined"))
          .isEqualTo(Map.of("DeclinedNoRoomInTheCache", 3L, "DeclinedTooMuchForOneUser", 4L));
      assertThat(log.getOutput().lines().filter(line -> line.contains("is read from HDFS")))
          .singleElement()
          .asString()
          .contains("/file is read from HDFS: no room in the cache")
          .contains("Raise orchestra.block-cache.capacity");
      half.goOn();
      assertThat(equal(holder, held)).isTrue();
    } finally {
      log.stopCapturing();
    }
  }

  /** With room for one block of a user the file is too long, with less also its first block. */
  @ParameterizedTest
  @ValueSource(strings = {"4m", "1m"})
  void aPathThatAClientTellsIsOneLineOfTheLog(String capacity) throws Exception {
    Configuration conf = BroadcastCluster.configuration();
    conf.set("orchestra.block-cache.capacity", capacity);
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger("io.orchestra.hadoop"));
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      cluster.write("/file", SIZE, 1);
      addReceivers(cluster, 1);
      LocatedBlock block = cluster.firstBlock("/file");
      OpenResponseProto answer =
          Stranger.open(
              java.nio.file.Path.of(cluster.host(1).get("orchestra.block-cache.socket")),
              block.getBlock(),
              ShownTokens.of(block),
              "/file\nall is well");
      assertThat(answer.getDeclined()).isEqualTo("too much for one user");
    } finally {
      log.stopCapturing();
    }
    assertThat(log.getOutput().lines().filter(line -> line.contains("all is well")))
        .singleElement()
        .asString()
        .contains("/file\\u{a}all is well is read from HDFS: too much for one user")
        .contains("Raise orchestra.block-cache.capacity or orchestra.block-cache.share-per-user");
  }

  @Test
  void whatNobodyReadsAnyMoreIsDropped() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    conf.set("orchestra.block-cache.idle-time", "1s");
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      addReceivers(cluster, 1);
      assertThat(equal(cluster.localize(1, "/file"), content)).isTrue();
      cluster.awaitBytesFromCaches(SIZE);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Metrics.required("OrchestraBlockCache", "BytesUsed") == 0);
    }
  }

  /** Of so few blocks clients know where they are from the beginning. */
  @Test
  void aFileThatIsReplacedIsReadAsItWasOrNotAtAll() throws Exception {
    try (BroadcastCluster cluster = start()) {
      byte[] old = cluster.write("/file", 6 * BroadcastCluster.BLOCK, 1);
      addReceivers(cluster, 1);
      HalfRead half = new HalfRead("/file", 2);
      List<CompletableFuture<byte[]>> reads = readersOfBothKinds(cluster, half);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Metrics.sum("OrchestraSwarmPeer", "SwarmsCompleted") == 1);
      cluster.files().delete(new Path("/file"), false);
      byte[] newer = cluster.write("/file", SIZE, 1);
      half.goOn();
      assertThat(equal(reads.get(0), old)).as("what has come stays").isTrue();
      assertThat(unlessItFailed(reads.get(1)).stream()).allMatch(got -> Arrays.equals(got, old));
      assertThat(equal(cluster.localize(1, "/file"), newer)).isTrue();
    }
  }

  /**
   * A snapshot keeps the old blocks; without one they are soon gone. Chains do not read from
   * replicas as well, which would be done at once.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileThatIsReplacedWhileItComesIsReadAsStockReadsIt(boolean kept) throws Exception {
    // For 40 seconds on its way: replaced before that also on a busy machine.
    int blocks = 20;
    Configuration conf = impatient();
    conf.set("orchestra.broadcast.overlay", "chain");
    conf.set("dfs.namenode.redundancy.interval.seconds", "1s");
    if (kept) {
      // Clients know from the beginning where all blocks are: later they would ask for the newer.
      conf.setLong("dfs.client.read.prefetch.size", (long) blocks * BroadcastCluster.BLOCK);
    }
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 0)) {
      String holder = cluster.add(false);
      Path directory = new Path("/directory");
      cluster.files().mkdirs(directory);
      cluster.files().allowSnapshot(directory);
      byte[] old = cluster.write(REPLACED, blocks * BroadcastCluster.BLOCK, 1);
      cluster.add(true);
      cluster.awaitPeers(1);
      HalfRead half = new HalfRead(REPLACED, 2);
      LyingPeer seed = LyingPeer.join(cluster, holder, REPLACED, old, Lie.SLOW_TRUTH);
      try {
        List<CompletableFuture<byte[]>> reads = readersOfBothKinds(cluster, half);
        assertThat(piecesOnTheirWay(cluster, old.length)).isTrue();
        ExtendedBlock first = cluster.firstBlock(REPLACED).getBlock();
        if (kept) {
          cluster.files().createSnapshot(directory, "before");
        }
        cluster.files().delete(new Path(REPLACED), false);
        byte[] newer = cluster.write(REPLACED, SIZE, 1);
        if (!kept) {
          awaitDeleted(cluster, first);
        }
        assertThat(Metrics.required("OrchestraSwarmPeer", "SwarmsCompleted")).isZero();
        if (kept) {
          seed.hurry();
        } else {
          // It has nothing any more that it could send.
          seed.close();
        }
        half.goOn();
        Optional<byte[]> swarm = unlessItFailed(reads.get(0));
        Optional<byte[]> stock = unlessItFailed(reads.get(1));
        assertThat(stock.isPresent()).isEqualTo(kept);
        assertThat(swarm.isPresent()).isEqualTo(kept);
        assertThat(swarm.stream()).allMatch(got -> Arrays.equals(got, old));
        assertThat(stock.stream()).allMatch(got -> Arrays.equals(got, old));
        if (kept) {
          cluster.awaitBytesFromCaches(old.length);
        }
        assertThat(equal(cluster.localize(1, REPLACED), newer)).isTrue();
      } finally {
        seed.close();
      }
    }
  }

  /** Whether some have come, as the tracker has heard, and not all. */
  private static boolean piecesOnTheirWay(BroadcastCluster cluster, int length) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                cluster.receivers(REPLACED).stream()
                    .anyMatch(receiver -> receiver.path("pieces").asInt() > 0));
    int all = length / (64 << 10);
    return cluster.receivers(REPLACED).stream()
        .allMatch(receiver -> receiver.path("pieces").asInt() < all);
  }

  private static void awaitDeleted(BroadcastCluster cluster, ExtendedBlock block) {
    FsDatasetSpi<?> replicas = cluster.daemons().getDataNodes().get(0).getFSDataset();
    await().atMost(Duration.ofSeconds(60)).until(() -> !replicas.contains(block));
  }

  /** The tracker knows files as they are. */
  @Test
  void aFileThatWasTruncatedIsReadFromItsSnapshotAsItWas() throws Exception {
    try (BroadcastCluster cluster = BroadcastCluster.start(BroadcastCluster.patient(), 1)) {
      Path file = new Path(REPLACED);
      cluster.files().mkdirs(file.getParent());
      cluster.files().allowSnapshot(file.getParent());
      byte[] content = cluster.write(REPLACED, SIZE, 1);
      cluster.files().createSnapshot(file.getParent(), "before");
      assertThat(cluster.files().truncate(file, 0)).isTrue();
      addReceivers(cluster, 1);
      String kept = new Path(file.getParent(), ".snapshot/before/" + file.getName()).toString();
      assertThat(equal(cluster.localize(1, kept), content)).isTrue();
      assertThat(cluster.report().path("declines").path("the file has changed").asInt())
          .isPositive();
      cluster.assertNothingFromCaches();
    }
  }

  @Test
  void aReceiverThatHasFinishedIsEnoughForALateOne() throws Exception {
    Configuration conf = BroadcastCluster.configuration();
    // Nothing is read from replicas meanwhile.
    conf.set("orchestra.broadcast.stall-timeout", "30s");
    conf.set("orchestra.broadcast.upload-connections", "1");
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 1)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      LocatedBlock block = cluster.firstBlock("/file");
      int holder = cluster.peerPorts().get(0);
      conf.unset("orchestra.broadcast.upload-connections");
      addReceivers(cluster, 2);
      String late = cluster.daemons().getDataNodes().get(2).getDatanodeUuid();
      assertThat(equal(cluster.localize(1, "/file"), content)).isTrue();

      // From now on the holder tells others its checksums, and sends them nothing.
      try (Socket busy =
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> Stranger.place(holder, block), Optional::isPresent)
              .orElseThrow()) {
        assertThat(equal(cluster.localize(2, "/file"), content)).isTrue();
        assertThat(busy.isClosed()).isFalse();
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(cluster.receivers("/file"))
                      .filteredOn(receiver -> receiver.path("datanode").asText().equals(late))
                      .singleElement()
                      .satisfies(
                          receiver -> {
                            assertThat(receiver.path("fromPeers").asLong()).isEqualTo(SIZE);
                            assertThat(receiver.required("fromSeeds").asLong()).isZero();
                          }));
    }
  }

  @Test
  void aFileThatGrowsIsReadAsItWasWhenItWasOpened() throws Exception {
    try (BroadcastCluster cluster = start()) {
      byte[] old = cluster.write("/file", SIZE, 1);
      byte[] longer = Arrays.copyOf(old, SIZE + 100_000);
      addReceivers(cluster, 1);
      HalfRead half = new HalfRead("/file", 2);
      List<CompletableFuture<byte[]>> reads = readersOfBothKinds(cluster, half);
      try (FSDataOutputStream out = cluster.files().append(new Path("/file"))) {
        out.write(longer, SIZE, 100_000);
        out.hflush();
        assertThat(equal(cluster.localize(1, "/file"), longer)).isTrue();
      }
      assertThat(cluster.report().path("declines").path("the file is being written").asInt())
          .isPositive();
      half.goOn();
      for (CompletableFuture<byte[]> read : reads) {
        assertThat(equal(read, old)).isTrue();
      }
      assertThat(equal(cluster.localize(1, "/file"), longer)).isTrue();
    }
  }

  /** A localizer and a stock client, both of which have begun to read. */
  private static List<CompletableFuture<byte[]>> readersOfBothKinds(
      BroadcastCluster cluster, HalfRead half) {
    List<CompletableFuture<byte[]>> reads =
        List.of(cluster.asLocalizer(1, half), cluster.onThread(1, "main", half));
    await().atMost(Duration.ofSeconds(60)).until(half::begun);
    return reads;
  }

  /** Readers that stop after the first bytes of a file until they are told to go on. */
  private static final class HalfRead implements Work<byte[]> {
    private final String path;
    private final CountDownLatch begun;
    private final CompletableFuture<Void> goOn = new CompletableFuture<>();

    HalfRead(String path, int readers) {
      this.path = path;
      begun = new CountDownLatch(readers);
    }

    @Override
    public byte[] with(FileSystem client) throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      try (FSDataInputStream in = client.open(new Path(path))) {
        all.write(in.readNBytes(1000));
        begun.countDown();
        goOn.join();
        in.transferTo(all);
      }
      return all.toByteArray();
    }

    boolean begun() {
      return begun.getCount() == 0;
    }

    void goOn() {
      goOn.complete(null);
    }
  }

  private static BroadcastCluster start() throws IOException {
    return BroadcastCluster.start(impatient(), 1);
  }

  private static Configuration impatient() throws IOException {
    Configuration conf = BroadcastCluster.configuration();
    // Otherwise a client waits for half a minute before it believes that blocks are gone.
    conf.set("dfs.client.retry.window.base", "10");
    return conf;
  }

  /** The first host has all replicas. */
  private static void addReceivers(BroadcastCluster cluster, int receivers) throws IOException {
    for (int host = 1; host <= receivers; host++) {
      cluster.add(true);
    }
    cluster.awaitPeers(1 + receivers);
  }

  private static <T> T result(CompletableFuture<T> read) {
    return read.orTimeout(2, TimeUnit.MINUTES).join();
  }

  private static boolean equal(CompletableFuture<byte[]> read, byte[] written) {
    return Arrays.equals(result(read), written);
  }

  private static Optional<byte[]> unlessItFailed(CompletableFuture<byte[]> read) {
    try {
      return Optional.of(result(read));
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(IOException.class);
      return Optional.empty();
    }
  }
}
