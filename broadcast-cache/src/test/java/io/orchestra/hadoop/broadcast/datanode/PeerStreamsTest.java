package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerStreamsTest {

  @Test
  void withoutProtectionAPieceGoesFromItsFileToTheNetworkAndIsNotReadHere() throws IOException {
    byte[] content = new byte[64 << 10];
    new Random(1).nextBytes(content);
    try (PlainConnection connection = PlainConnection.open();
        FileChannel file = new UnreadableFile(content)) {
      connection.streams().sink().take(file, 1000, 50_000);
      assertThat(connection.other().getInputStream().readNBytes(50_000))
          .isEqualTo(Arrays.copyOfRange(content, 1000, 51_000));
    }
  }

  @Test
  void whatIsNotDecryptedMayBeLeftForAWhile() throws IOException {
    try (PlainConnection connection = PlainConnection.open()) {
      assertThat(connection.streams().mayPause()).isTrue();
    }
  }

  @Test
  void withProtectionAPieceIsCopiedALittleAtATime(@TempDir Path directory) throws IOException {
    byte[] content = new byte[16 << 20];
    new Random(1).nextBytes(content);
    Path path = Files.write(directory.resolve("block"), content);
    LittleAtATime protecting = new LittleAtATime();
    try (FileChannel file = FileChannel.open(path)) {
      long before = DirectMemory.used();
      PeerStreams.copyTo(protecting).take(file, 1000, (16 << 20) - 1001);
      assertThat(DirectMemory.used() - before).isLessThan(1 << 20);
    }
    assertThat(protecting.toByteArray())
        .isEqualTo(Arrays.copyOfRange(content, 1000, content.length - 1));
  }

  private static final class LittleAtATime extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      assertThat(length).isLessThanOrEqualTo(128 << 10);
      super.write(bytes, offset, length);
    }
  }

  /** All that can be done with it is what the JDK leaves to the kernel. */
  private static final class UnreadableFile extends FileChannel {
    private final byte[] content;

    UnreadableFile(byte[] content) {
      this.content = content;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target)
        throws IOException {
      assertThat(target).as("to others the JDK copies").isInstanceOf(SocketChannel.class);
      return target.write(
          ByteBuffer.wrap(content, Math.toIntExact(position), Math.toIntExact(count)));
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    protected void implCloseChannel() {}

    @Override
    public int read(ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
