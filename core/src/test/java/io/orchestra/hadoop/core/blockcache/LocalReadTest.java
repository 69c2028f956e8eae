package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
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
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.token.Token;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    conf.set("orchestra.block-cache.connections-per-user", "3");
    conf.set("orchestra.block-cache.paths", "/jobs/*");
    config = BlockCacheConfig.from(conf);
    store = BlockStore.open(config.directory(), config.capacity());
    metrics = new BlockCacheMetrics(store);
    server =
        ReaderServer.listen(
            config, new UserLimits(config), LocalReadTest::verify, this::offer, metrics);
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
    ReplicaAccessor accessor = open(PATH, "good").orElseThrow();
    byte[] start = new byte[300_000];
    assertThat(accessor.read(0, start, 0, start.length)).isEqualTo(start.length);
    assertThatThrownBy(() -> accessor.read(300_000, start, 0, 1)).isInstanceOf(IOException.class);
    accessor.close();
    fill();
    assertThat(open(PATH, "good")).isEmpty();
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
  void limitsTheClientsOfOneUser() throws IOException {
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
    assertThatThrownBy(
            () ->
                ReaderServer.listen(
                    BlockCacheConfig.from(conf),
                    new UserLimits(config),
                    LocalReadTest::verify,
                    this::offer,
                    metrics))
        .hasMessageContaining(open + " is writable for others")
        .hasMessageContaining("orchestra.block-cache.socket");
  }

  @Test
  void asksNothingWhereThereIsNoCache() throws IOException {
    server.close();
    assertThat(open(PATH, "good")).isEmpty();
  }
}
