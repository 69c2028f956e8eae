package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ContentTest {
  private static final int LENGTH = 200_001;

  @Test
  void seedAndLengthDecideTheBytes() throws IOException {
    assertThat(content(1, LENGTH)).hasSize(LENGTH).isEqualTo(content(1, LENGTH));
    assertThat(content(2, LENGTH)).isNotEqualTo(content(1, LENGTH));
  }

  @Test
  void noTwoPiecesAreEqual() throws IOException {
    byte[] bytes = content(1, LENGTH);
    assertThat(Arrays.copyOfRange(bytes, 0, 1 << 16))
        .isNotEqualTo(Arrays.copyOfRange(bytes, 1 << 16, 2 << 16));
  }

  @Test
  void randomBytesDoNotComeAgain() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String sum = Content.writeRandom(out, 1, LENGTH);
    byte[] bytes = out.toByteArray();

    assertThat(bytes).hasSize(LENGTH);
    // All but the first bytes of a piece of the other kind are those of the piece before.
    assertThat(Arrays.copyOfRange(bytes, 100, 200))
        .isNotEqualTo(Arrays.copyOfRange(bytes, (1 << 16) + 100, (1 << 16) + 200));
    assertThat(Content.writeRandom(new ByteArrayOutputStream(), 1, LENGTH)).isEqualTo(sum);
  }

  @Test
  void whatIsCopiedHasTheSumOfWhatWasWritten() throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    String sum = Content.write(written, 7, LENGTH);
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    assertThat(Content.copy(new ByteArrayInputStream(written.toByteArray()), copy))
        .isEqualTo(new Content.Copied(LENGTH, sum));
    assertThat(copy.toByteArray()).isEqualTo(written.toByteArray());
    assertThat(sum).matches("0x[0-9a-f]{8}");
  }

  private static byte[] content(long seed, int length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String unused = Content.write(out, seed, length);
    return out.toByteArray();
  }
}
