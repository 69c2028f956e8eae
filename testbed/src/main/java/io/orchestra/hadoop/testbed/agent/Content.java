package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Bytes of test files: none are saved by compressing them, and no two pieces are equal. */
final class Content {
  private static final int BUFFER = 64 * 1024;
  private static final int LINE = 1000;
  private static final int DIFFERENT_LINES = 4000;

  private Content() {}

  /**
   * Writes so many bytes that follow from a seed.
   *
   * @return their CRC32C as HDFS shows one
   */
  static String write(OutputStream target, long seed, long bytes) throws IOException {
    byte[] content = new byte[BUFFER];
    new Random(seed).nextBytes(content);
    return write(target, bytes, content, left -> ByteBuffer.wrap(content).putLong(left));
  }

  /**
   * The same, but sorting does not bring equal bytes together.
   *
   * @return their CRC32C as HDFS shows one
   */
  static String writeRandom(OutputStream target, long seed, long bytes) throws IOException {
    byte[] content = new byte[BUFFER];
    Random random = new Random(seed);
    return write(target, bytes, content, left -> random.nextBytes(content));
  }

  /**
   * No two pieces are equal, so that none can stand for another.
   *
   * @param next changes the content before each piece; is told how many bytes are left
   */
  private static String write(OutputStream target, long bytes, byte[] content, LongConsumer next)
      throws IOException {
    CheckedOutputStream out = new CheckedOutputStream(target, new CRC32C());
    for (long left = bytes; left > 0; left -= BUFFER) {
      next.accept(left);
      out.write(content, 0, (int) Math.min(left, BUFFER));
    }
    return text(out.getChecksum().getValue());
  }

  /**
   * Writes so many bytes of lines that follow from a seed: a thousand lower-case letters each, one
   * of a few thousand.
   *
   * @return their CRC32C as HDFS shows one
   */
  static String writeText(OutputStream target, long seed, long bytes) throws IOException {
    Random random = new Random(seed);
    byte[][] lines = new byte[DIFFERENT_LINES][LINE];
    for (byte[] line : lines) {
      for (int index = 0; index < LINE - 1; index++) {
        line[index] = (byte) ('a' + random.nextInt('z' - 'a' + 1));
      }
      line[LINE - 1] = '\n';
    }
    CheckedOutputStream out = new CheckedOutputStream(target, new CRC32C());
    for (long left = bytes; left > 0; left -= LINE) {
      out.write(lines[random.nextInt(lines.length)], 0, (int) Math.min(left, LINE));
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
