package io.orchestra.hadoop.core.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadPauseTest {
  private static final int PIECE = 128 << 10;

  private final ReadPause pauses = new ReadPause();

  @Test
  void aSlowConnectionIsReadSeldom() {
    comeFor10Seconds(3_000);
    // 3000 bytes in 20 ms; 32 KiB would take 218.
    assertEquals(millis(200), pauses.nanos(3_000, millis(20), PIECE));
    comeFor10Seconds(6_000);
    assertEquals(109.2, pauses.nanos(6_000, millis(20), PIECE) / 1e6, 0.2);
  }

  @Test
  void aFastConnectionIsNotKeptWaiting() {
    assertEquals(0, pauses.nanos(3_000, 30_000, PIECE));
  }

  @Test
  void oneThatBecomesFasterIsNotKeptWaitingEither() {
    comeFor10Seconds(3_000);
    assertEquals(0, pauses.nanos(3_000, 30_000, PIECE));
  }

  /** 10 ms on his disk for each 256 KiB, and 2 ms on the network. */
  @Test
  void aSenderWhoStandsStillForAMomentIsNotKeptWaiting() {
    for (int time = 0; time < 100; time++) {
      long pause = pauses.nanos(1_448, millis(10), PIECE);
      assertTrue(pause < millis(7), pause + " ns the first times");
      assertTrue(pause < millis(2) || time < 5, pause + " ns");
      for (int read = 0; read < 4; read++) {
        assertEquals(0, pauses.nanos(64 << 10, 500_000, PIECE));
      }
    }
  }

  @Test
  void whatIsFullIsReadAgainAtOnce() {
    comeFor10Seconds(3_000);
    assertEquals(0, pauses.nanos(ReadPause.WORTH_A_READ, millis(200), PIECE));
  }

  @Test
  void afterTheEndOfAPieceThereIsNoPause() {
    comeFor10Seconds(3_000);
    assertEquals(0, pauses.nanos(3_000, millis(20), 0));
  }

  @Test
  void theEndOfAPieceIsWaitedForInSmallerAndSmallerSteps() {
    comeFor10Seconds(3_000);
    long elapsed = 0;
    int reads = 0;
    double bytesPerNano = 3_000.0 / millis(20);
    for (double rest = PIECE, last = 3_000, gap = millis(20); rest > 0; reads++) {
      long pause = pauses.nanos((int) last, (long) gap, (int) rest);
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

  /**
   * @param bytes every 20 ms
   */
  private void comeFor10Seconds(int bytes) {
    for (int read = 0; read < 500; read++) {
      long unused = pauses.nanos(bytes, millis(20), PIECE);
    }
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
