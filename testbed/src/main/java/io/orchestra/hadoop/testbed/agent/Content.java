package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Bytes of test files: none are saved by compressing them, and no two pieces are equal. */
final class Content {
  private static final int BUFFER = 64 * 1024;

  private Content() {}

  /**
   * Writes so many bytes that follow from a seed.
   *
   * @return their CRC32C as HDFS shows one
   */
  static String write(OutputStream target, long seed, long bytes) throws IOException {
    byte[] content = new byte[BUFFER];
    new Random(seed).nextBytes(content);
    CheckedOutputStream out = new CheckedOutputStream(target, new CRC32C());
    for (long left = bytes; left > 0; left -= BUFFER) {
      // No two pieces are equal, so that none can stand for another.
      ByteBuffer.wrap(content).putLong(left);
      out.write(content, 0, (int) Math.min(left, BUFFER));
    }
    return text(out.getChecksum().getValue());
  }

  /** Copies everything; see {@link Copied}. */
  static Copied copy(InputStream source, OutputStream target) throws IOException {
    byte[] buffer = new byte[BUFFER];
    CRC32C sum = new CRC32C();
    long bytes = 0;
    for (int read = source.read(buffer); read >= 0; read = source.read(buffer)) {
      sum.update(buffer, 0, read);
      target.write(buffer, 0, read);
      bytes += read;
    }
    return new Copied(bytes, text(sum.getValue()));
  }

  /**
   * What was copied.
   *
   * @param sum the CRC32C as HDFS shows one
   */
  record Copied(long bytes, String sum) {}

  private static String text(long sum) {
    return "0x%08x".formatted(sum);
  }
}
