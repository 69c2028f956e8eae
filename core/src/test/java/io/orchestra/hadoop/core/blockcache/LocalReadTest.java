package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client's accessor, the socket and the store, without HDFS. */
final class LocalReadTest {
  private static final BlockOfBytes BLOCK = BlockOfBytes.random(1_000_000, 300_000, 1);
  private static final String PATH = "/jobs/archive.tgz";

  /** Failures are remembered by block for a minute: each test has blocks of its own. */
  private static final AtomicLong IDS = new AtomicLong();

  @TempDir Path directory;
  private final BlockKey key = new BlockKey("pool", IDS.incrementAndGet(), 7);
  private final Configuration conf = new Configuration(false);
  private final List<ReadRequest> requests = new ArrayList<>();
  private BlockCacheConfig config;
  private BlockStore store;
  private BlockCacheMetrics metrics;
  private ReaderServer server;
  private Lease lease;
  private Offer offer;

  @BeforeEach
  void serve() throws Exception {
    conf.set("hadoop.tmp.dir", directory.toString());
    conf.set("orchestra.block-cache.socket", directory.resolve("run/sock").toString());
    conf.set("orchestra.block-cache.guard-socket", "false");
    conf.set("orchestra.block-cache.wait-limit", "200ms");
    conf.set("orchestra.block-cache.paths", "/jobs/*");
    config = BlockCacheConfig.from(conf);
    CacheDirectory roomy = new CacheDirectory(config.directory(), () -> 1L << 40);
    store = BlockStore.open(roomy, config.capacity());
    metrics = new BlockCacheMetrics(store);
    server = listen();
    lease = store.begin(key, BLOCK.pieces()).orElseThrow();
    lease.block().expect(BLOCK.sums());
    offer = null;
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    metrics.close();
    store.close();
  }

  /** With the configuration as it is now. */
  private ReaderServer listen() throws IOException, InvalidConfigurationException {
    return listen(Thread::new);
  }

  private ReaderServer listen(ThreadFactory threads)
      throws IOException, InvalidConfigurationException {
    config = BlockCacheConfig.from(conf);
    return ReaderServer.listen(config, LocalReadTest::verify, this::offer, metrics, threads);
  }

  private void listenAgain(String key, String value) throws Exception {
    server.close();
    conf.set(key, value);
    server = listen();
  }

  private static void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException {
    if (!new String(token.getIdentifier(), StandardCharsets.UTF_8).equals("good")) {
      throw new IOException("a bad token");
    }
  }

  private synchronized Offer offer(ReadRequest request) {
    requests.add(request);
    return offer == null ? new Offer.Filling(store.find(request.block()).orElseThrow()) : offer;
  }

  private void fill() throws IOException {
    for (int piece = 0; piece < BLOCK.pieces().count(); piece++) {
      lease.block().put(piece, BLOCK.piece(piece));
    }
  }

  private Optional<ReplicaAccessor> open(String path, String token) {
    return open(path, token(token));
  }

  private Optional<ReplicaAccessor> open(String path, byte[] token) {
    LocalReplicaAccessorBuilder builder = new LocalReplicaAccessorBuilder();
    builder
        .setFileName(path)
        .setBlock(key.id(), key.pool())
        .setGenerationStamp(key.generationStamp())
        .setVisibleLength(BLOCK.pieces().blockLength())
        .setConfiguration(conf)
        .setBlockAccessToken(token);
    return Optional.ofNullable(builder.build());
  }

  private static byte[] token(String identifier) {
    try {
      DataOutputBuffer bytes = new DataOutputBuffer();
      Token<BlockTokenIdentifier> token = new Token<>();
      token.setID(identifier.getBytes(StandardCharsets.UTF_8));
      token.write(bytes);
      return Arrays.copyOf(bytes.getData(), bytes.getLength());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] readAll(ReplicaAccessor accessor, int atATime) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[atATime];
    int read;
    while ((read = accessor.read(all.size(), some, 0, some.length)) > 0) {
      all.write(some, 0, read);
    }
    return all.toByteArray();
  }

  @Test
  void readsAWholeBlockWithBuffersOfAnySize() throws IOException {
    fill();
    for (int size : new int[] {999, 4096, 300_000, 2_000_000}) {
      ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
      assertThat(readAll(accessor, size)).isEqualTo(BLOCK.bytes());
      accessor.close();
    }
  }

  @Test
  void aMapFindsItsInputAndWhatItReadsIsCounted() throws IOException {
    fill();
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    conf.setBoolean("mapreduce.task.ismap", true);
    conf.setBoolean("orchestra.block-cache.map-input", true);
    Set<Integer> read = ConcurrentHashMap.newKeySet();
    lease.block().listenForReading(read::add);

    ReplicaAccessor accessor = open("/input", "good").orElseThrow();

    assertThat(readAll(accessor, 300_000)).isEqualTo(BLOCK.bytes());
    assertThat(requests.get(0).purpose()).isEqualTo(ReadRequest.Purpose.MAP_INPUT);
    await().until(() -> read.size() == BLOCK.pieces().count());
    accessor.close();
  }

  /** It asks anew whenever it reads elsewhere in a block. */
  @Test
  void aMapWhoseInputIsNotHereAsksOnce() {
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    conf.setBoolean("mapreduce.task.ismap", true);
    conf.setBoolean("orchestra.block-cache.map-input", true);
    offer = new Offer.Declined("not brought ahead");

    assertThat(open("/input", "good")).isEmpty();
    assertThat(open("/input", "good")).isEmpty();

    assertThat(requests).hasSize(1);
  }

  @Test
  void readsIntoDirectBuffersFromAnywhere() throws IOException {
    fill();
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    ByteBuffer direct = ByteBuffer.allocateDirect(10);
    assertThat(accessor.read(599_995, direct)).isEqualTo(10);
    assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(BLOCK.bytes(), 599_995, 10));
    assertThat(accessor.read(999_999, ByteBuffer.allocate(10))).isEqualTo(1);
    assertThat(accessor.read(1_000_000, ByteBuffer.allocate(10))).isEqualTo(-1);
    assertThat(accessor.read(5, ByteBuffer.allocate(0))).isZero();
    accessor.close();
  }

  @Test
  void tellsTheCacheWhatIsWantedAndByWhom() throws IOException {
    fill();
    open(PATH, "good").orElseThrow().close();
    assertThat(requests)
        .containsExactly(
            new ReadRequest(
                key,
                1_000_000,
                PATH,
                ReadRequest.Purpose.CHOSEN_PATH,
                System.getProperty("user.name")));
  }

  @Test
  void leavesPathsThatNobodyChoseToHdfsWithoutAsking() throws IOException {
    fill();
    assertThat(open("/other/file", "good")).isEmpty();
    assertThat(requests).isEmpty();
  }

  @Test
  void givesNothingToWhoHasNoValidToken() throws IOException {
    fill();
    assertThat(open(PATH, "bad")).isEmpty();
    assertThat(requests).isEmpty();
  }

  @Test
  void givesNothingForATokenThatIsGarbage() throws IOException {
    fill();
    assertThat(open(PATH, new byte[] {-113, -1, -1, -1, -1, 1, 2, 3})).isEmpty();
    assertThat(open(PATH, new byte[0])).isEmpty();
    assertThat(requests).isEmpty();
    assertThat(open(PATH, "good")).isPresent();
  }

  @Test
  void leavesADeclinedBlockToHdfs() {
    offer = new Offer.Declined("a small file");
    assertThat(open(PATH, "good")).isEmpty();
  }

  @Test
  void failsOnceWhenAPieceDoesNotComeAndThenLeavesTheBlockToHdfs() throws IOException {
    lease.block().put(0, BLOCK.piece(0));
    AtomicInteger givenUp = new AtomicInteger();
    lease.block().listenForWaits(new GivenUp(givenUp));
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    byte[] start = new byte[300_000];
    assertThat(accessor.read(0, start, 0, start.length)).isEqualTo(start.length);
    assertThatThrownBy(() -> accessor.read(300_000, start, 0, 1)).isInstanceOf(IOException.class);
    accessor.close();
    assertThat(givenUp).hasValue(1);
    fill();
    assertThat(open(PATH, "good")).isEmpty();
  }

  /** As a localizer of a NodeManager is when its application ends; others localize on. */
  @Test
  void aReaderThatIsInterruptedKeepsNoOtherOfItsProcessFromTheCache() throws IOException {
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> accessor.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    accessor.close();
    fill();

    ReplicaAccessor other = open(PATH, "good").orElseThrow();
    assertThat(readAll(other, 300_000)).isEqualTo(BLOCK.bytes());
    other.close();
  }

  @Test
  void aBlockWhoseBytesHaveChangedOnTheDiskIsDroppedWhenAReaderSaysSo() throws IOException {
    fill();
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    assertThat(accessor.read(0, ByteBuffer.allocate(300_000))).isEqualTo(300_000);
    NamelessFiles.flip(config.directory(), 300_001);
    assertThatThrownBy(() -> accessor.read(300_000, ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("piece 1 of " + key + " changed");
    await().until(() -> !store.has(key));
    assertThat(lease.block().has(0)).as("peers get none of it either").isFalse();
    accessor.close();
    lease.close();
    await()
        .until(
            () -> {
              store.dropIdle(Duration.ofMinutes(1));
              return store.used() == 0;
            });
  }

  @Test
  void aReaderThatComplainsWithoutReasonIsNotBelievedNorServedAnyMore() throws IOException {
    fill();
    try (CacheConnection liar =
        CacheConnection.connect(config.socket(), false, Duration.ofSeconds(1)).orElseThrow()) {
      assertThat(liar.open(key, 1_000_000, token("good"), PATH, ReadRequest.Purpose.CHOSEN_PATH))
          .isPresent();
      liar.complain(1);
      assertThatThrownBy(() -> liar.read(1, ByteBuffer.allocate(300_000)))
          .isInstanceOf(IOException.class);
    }
    assertThat(store.has(key)).isTrue();
    ReplicaAccessor other = open(PATH, "good").orElseThrow();
    assertThat(readAll(other, 300_000)).isEqualTo(BLOCK.bytes());
    other.close();
  }

  @Test
  void failsWhenTheCacheEnds() throws IOException {
    lease.block().put(0, BLOCK.piece(0));
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    server.close();
    assertThatThrownBy(() -> accessor.read(300_000, new byte[1], 0, 1))
        .isInstanceOf(IOException.class);
    assertThat(open(PATH, "good")).isEmpty();
  }

  @Test
  void limitsTheClientsOfOneUser() throws Exception {
    listenAgain("orchestra.block-cache.connections-per-user", "3");
    fill();
    List<ReplicaAccessor> accessors = new ArrayList<>();
    for (int client = 0; client < 3; client++) {
      accessors.add(open(PATH, "good").orElseThrow());
    }
    assertThat(open(PATH, "good")).isEmpty();
    accessors.get(0).close();
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(open(PATH, "good")).isPresent());
  }

  @Test
  void limitsTheClientsOfAllTogether() throws Exception {
    listenAgain("orchestra.block-cache.connections", "2");
    fill();
    ReplicaAccessor one = open(PATH, "good").orElseThrow();
    ReplicaAccessor other = open(PATH, "good").orElseThrow();
    assertThat(open(PATH, "good")).isEmpty();
    one.close();
    other.close();
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(open(PATH, "good")).isPresent());
  }

  @Test
  void limitsTheBytesThatOneUserHolds() throws Exception {
    fill();
    conf.set("orchestra.block-cache.capacity", "1500000");
    listenAgain("orchestra.block-cache.share-per-user", "0.5");
    assertThat(open(PATH, "good")).isEmpty();
    listenAgain("orchestra.block-cache.share-per-user", "1");
    assertThat(open(PATH, "good")).isPresent();
    assertThat(open(PATH, "good")).isPresent();
  }

  @Test
  void goesOnWhenThereWasNoThreadForAClient() throws Exception {
    server.close();
    AtomicBoolean none = new AtomicBoolean();
    conf.set("orchestra.block-cache.connections", "1");
    server =
        listen(
            task -> {
              if (none.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(task);
            });
    fill();
    none.set(true);
    assertThat(open(PATH, "good")).isEmpty();
    assertThat(open(PATH, "good")).isEmpty();
    none.set(false);
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(open(PATH, "good")).isPresent());
  }

  @Test
  @Timeout(60)
  void dropsAClientThatDoesNotSayWhatItWants() throws IOException {
    try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(config.socket()))) {
      assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  @Timeout(60)
  void saysThatItIsStillWaitingUntilAPieceComes() throws Exception {
    listenAgain("orchestra.block-cache.wait-limit", "1m");
    try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(config.socket()))) {
      InputStream in = Channels.newInputStream(client);
      OutputStream out = Channels.newOutputStream(client);
      OpenProto.newBuilder()
          .setBlockPool(key.pool())
          .setBlockId(key.id())
          .setGenerationStamp(key.generationStamp())
          .setToken(ByteString.copyFrom(token("good")))
          .setPath(PATH)
          .setPurpose(OpenProto.Purpose.LOCALIZATION)
          .setVisibleLength(BLOCK.pieces().blockLength())
          .build()
          .writeDelimitedTo(out);
      assertThat(OpenResponseProto.parseDelimitedFrom(in).getStillWaiting()).isTrue();
      assertThat(OpenResponseProto.parseDelimitedFrom(in).getSumsCount()).isPositive();
      ReadPieceProto.newBuilder().setPiece(3).build().writeDelimitedTo(out);
      assertThat(ReadPieceResponseProto.parseDelimitedFrom(in).getStillWaiting()).isTrue();
      lease.block().put(3, BLOCK.piece(3));
      ReadPieceResponseProto answer;
      do {
        answer = ReadPieceResponseProto.parseDelimitedFrom(in);
      } while (answer.getStillWaiting());
      assertThat(answer.hasFailed()).isFalse();
      assertThat(ByteBuffer.wrap(in.readNBytes(100_000))).isEqualTo(BLOCK.piece(3));
    }
  }

  @Test
  void survivesGarbage() throws IOException {
    fill();
    for (String garbage :
        List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "\u00ff\u00ff\u00ff\u00ff")) {
      try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        client.connect(UnixDomainSocketAddress.of(config.socket()));
        client.write(ByteBuffer.wrap(garbage.getBytes(StandardCharsets.ISO_8859_1)));
        client.shutdownOutput();
        assertThat(answer(client)).isLessThan(1000);
      }
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(open(PATH, "good")).isPresent());
  }

  private static int answer(SocketChannel client) {
    ByteBuffer answer = ByteBuffer.allocate(1000);
    try {
      while (client.read(answer) > 0) {
        assertThat(answer.hasRemaining()).isTrue();
      }
    } catch (IOException e) {
      // The other side left with bytes unread.
    }
    return answer.position();
  }

  @Test
  void refusesASocketThatOthersCouldReplace() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    conf.set("orchestra.block-cache.guard-socket", "true");
    conf.set("orchestra.block-cache.socket", open.resolve("run/sock").toString());
    assertThatThrownBy(this::listen)
        .hasMessageContaining(open + " is writable for others")
        .hasMessageContaining("orchestra.block-cache.socket");
  }

  @Test
  void servesBehindALinkIfNobodyElseCanWriteThere(@TempDir(factory = HomeDirectory.class) Path home)
      throws Exception {
    fill();
    HomeDirectory.make(home.resolve("run"), "rwxr-xr-x");
    Files.createSymbolicLink(home.resolve("link"), home.resolve("run"));
    conf.set("orchestra.block-cache.guard-socket", "true");
    listenAgain("orchestra.block-cache.socket", home.resolve("link/sock").toString());
    assertThat(server.socket()).isEqualTo(home.toRealPath().resolve("run/sock"));
    assertThat(open(PATH, "good")).isPresent();
    Files.setPosixFilePermissions(
        home.resolve("run"), PosixFilePermissions.fromString("rwxrwxr-x"));
    assertThat(open(PATH, "good")).isEmpty();
  }

  @Test
  void asksNobodyForAWhileWhereTheServerWasKilled() throws Exception {
    fill();
    server.close();
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(config.socket()));
    }
    assertThat(config.socket()).exists();
    assertThat(open(PATH, "good")).isEmpty();
    server = listen();
    assertThat(open(PATH, "good")).isEmpty();
    assertThat(requests).isEmpty();
  }

  /** Its clients would find nothing of what the first one brings. */
  @Test
  void aSecondServerDoesNotTakeTheSocket() throws Exception {
    fill();
    assertThatThrownBy(this::listen)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another process serves there")
        .hasMessageContaining("orchestra.block-cache.socket");
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    assertThat(readAll(accessor, 300_000)).isEqualTo(BLOCK.bytes());
    accessor.close();
  }

  @Test
  void asksNothingWhereThereIsNoCache() throws IOException {
    server.close();
    assertThat(open(PATH, "good")).isEmpty();
  }
}
