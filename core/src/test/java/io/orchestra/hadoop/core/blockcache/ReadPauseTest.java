package io.orchestra.hadoop.core.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadPauseTest {
  private static final int PIECE = 128 << 10;

  @Test
  void aSlowConnectionIsReadSeldom() {
    // 3000 bytes in 20 ms; 32 KiB would take 218.
    assertEquals(millis(200), ReadPause.nanos(3_000, millis(20), PIECE));
    assertEquals(109_226_666, ReadPause.nanos(6_000, millis(20), PIECE));
  }

  @Test
  void aFastConnectionIsNotKeptWaiting() {
    assertEquals(0, ReadPause.nanos(3_000, 30_000, PIECE));
  }

  @Test
  void whatIsFullIsReadAgainAtOnce() {
    assertEquals(0, ReadPause.nanos(ReadPause.WORTH_A_READ, millis(200), PIECE));
  }

  @Test
  void theEndOfAPieceIsWaitedForInSmallerAndSmallerSteps() {
    long elapsed = 0;
    int reads = 0;
    double bytesPerNano = 3_000.0 / millis(20);
    for (double rest = PIECE, last = 3_000, gap = millis(20); rest > 0; reads++) {
      long pause = ReadPause.nanos((int) last, (long) gap, (int) rest);
      // A read that finds nothing waits for the next packet.
      gap = Math.max(pause, 1_500 / bytesPerNano);
      last = gap * bytesPerNano;
      rest -= last;
      elapsed += (long) gap;
    }
    assertTrue(reads <= 12, reads + " reads");
    // No later than a packet after the last byte.
    assertTrue(elapsed < (PIECE + 1_600) / bytesPerNano, elapsed + " ns");
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
