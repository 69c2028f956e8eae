package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Ints;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.ReadPieceResponseProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client against servers that are none of ours. */
@Timeout(60)
final class CacheConnectionTest {
  private static final BlockOfBytes BLOCK = BlockOfBytes.random(300_000, 200_000, 1);
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path directory;
  private ServerSocketChannel listener;

  @BeforeEach
  void listen() throws IOException {
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket()), 1);
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  private Path socket() {
    return directory.resolve("sock");
  }

  private Optional<CacheConnection> connect() throws IOException {
    return CacheConnection.connect(socket(), false, LONG);
  }

  private static Optional<PieceSums> open(CacheConnection connection) throws IOException {
    return connection.open(
        new BlockKey("pool", 1, 7),
        300_000,
        new byte[3],
        "/file",
        ReadRequest.Purpose.LOCALIZATION);
  }

  @Test
  void waitsInNoQueueOfAServerThatLetsNobodyIn() throws IOException {
    List<CacheConnection> connections = new ArrayList<>();
    Optional<CacheConnection> next;
    while ((next = connect()).isPresent()) {
      connections.add(next.get());
      assertThat(connections).hasSizeLessThan(10);
    }
    for (CacheConnection connection : connections) {
      connection.close();
    }
  }

  @Test
  void leavesAServerThatIsSilentHoweverLongABlockMayTake() throws IOException {
    try (CacheConnection connection = connect().orElseThrow()) {
      assertThatThrownBy(() -> open(connection)).isInstanceOf(SocketTimeoutException.class);
    }
  }

  /** As one does that has too many clients; the question finds nobody, or is not read. */
  @Test
  void aServerThatClosesWithoutAWordLeavesTheBlockToHdfs() throws IOException {
    try (CacheConnection early = connect().orElseThrow()) {
      listener.accept().close();
      assertThat(open(early)).isEmpty();
    }
    try (CacheConnection late = connect().orElseThrow()) {
      CompletableFuture<Void> server = CompletableFuture.runAsync(this::closeOnceItIsAsked);
      assertThat(open(late)).isEmpty();
      server.join();
    }
  }

  private void closeOnceItIsAsked() {
    try (SocketChannel client = listener.accept()) {
      int unused = client.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void staysWithAServerThatIsStillWaiting() throws IOException {
    CompletableFuture<Void> server = CompletableFuture.runAsync(this::serveLate);
    try (CacheConnection connection = connect().orElseThrow()) {
      assertThat(open(connection).orElseThrow().sums()).isEqualTo(BLOCK.sums().sums());
      ByteBuffer piece = ByteBuffer.allocate(BLOCK.pieces().length(1));
      connection.read(1, piece);
      assertThat(piece.flip()).isEqualTo(BLOCK.piece(1));
    }
    server.join();
  }

  private void serveLate() {
    try (SocketChannel client = listener.accept()) {
      InputStream in = Channels.newInputStream(client);
      OutputStream out = Channels.newOutputStream(client);
      assertThat(OpenProto.parseDelimitedFrom(in).getVisibleLength()).isEqualTo(300_000);
      for (int times = 0; times < 3; times++) {
        OpenResponseProto.newBuilder().setStillWaiting(true).build().writeDelimitedTo(out);
      }
      OpenResponseProto.newBuilder()
          .setBlockLength(300_000)
          .setPieceLength(200_000)
          .setChecksum(OpenResponseProto.Checksum.CRC32C)
          .addAllSums(Ints.asList(BLOCK.sums().sums()))
          .build()
          .writeDelimitedTo(out);
      int wanted = ReadPieceProto.parseDelimitedFrom(in).getPiece();
      for (int times = 0; times < 3; times++) {
        ReadPieceResponseProto.newBuilder().setStillWaiting(true).build().writeDelimitedTo(out);
      }
      ReadPieceResponseProto.getDefaultInstance().writeDelimitedTo(out);
      out.write(BLOCK.piece(wanted).array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
