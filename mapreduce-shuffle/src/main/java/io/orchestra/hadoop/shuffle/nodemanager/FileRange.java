package io.orchestra.hadoop.shuffle.nodemanager;

import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.io.SecureIOUtils;
import org.apache.hadoop.mapred.FadvisedChunkedFile;
import org.apache.hadoop.mapred.FadvisedFileRegion;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;

/**
 * Some bytes of an open file, for one transfer.
 *
 * @param position of the first byte
 * @param length bytes
 */
record FileRange(RandomAccessFile file, String path, long position, long length)
    implements Closeable {

  /**
   * @param owner whose file it must be, where Hadoop runs with security
   * @throws IOException if it is not, or does not have all those bytes
   */
  static FileRange open(File path, String owner, long position, long length) throws IOException {
    FileRange range =
        new FileRange(
            SecureIOUtils.openForRandomRead(path, "r", owner, null),
            path.getPath(),
            position,
            length);
    try {
      range.requireWhole();
      return range;
    } catch (IOException e) {
      range.close();
      throw e;
    }
  }

  /** Netty would turn in circles at the end of a file that is too short. */
  private void requireWhole() throws IOException {
    // Users write their indexes themselves: a sum with what they say may be too large.
    if (position < 0 || file.length() - length < position) {
      throw new EOFException(
          "%s has %d bytes, not %d from %d".formatted(path, file.length(), length, position));
    }
  }

  /**
   * What Netty writes. It owns the file from now on, and closes it when all is written, when the
   * connection ends, and when it cannot be written at all.
   *
   * @param encrypted whether the bytes must pass through memory
   */
  Object message(ShuffleChannelHandlerContext server, boolean encrypted) throws IOException {
    try {
      return encrypted ? chunks(server) : region(server);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Its pages stay in the cache, as with stock: when it asks for them to be dropped
   * (FadvisedFileRegion.transferSuccessful), Netty has closed the file.
   */
  private FadvisedFileRegion region(ShuffleChannelHandlerContext server) throws IOException {
    return new FadvisedFileRegion(
        file,
        position,
        length,
        server.manageOsCache,
        server.readaheadLength,
        server.readaheadPool,
        path,
        server.shuffleBufferSize,
        server.shuffleTransferToAllowed);
  }

  private FadvisedChunkedFile chunks(ShuffleChannelHandlerContext server) throws IOException {
    return new FadvisedChunkedFile(
        file,
        position,
        length,
        server.sslFileBufferSize,
        server.manageOsCache,
        server.readaheadLength,
        server.readaheadPool,
        path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
