package io.orchestra.hadoop.shuffle.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.orchestra.hadoop.shuffle.rpc.proto.ShuffleProtos.OutputSizeProto;
import io.orchestra.hadoop.shuffle.rpc.proto.ShuffleProtos.OutputSizesProto;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OutputSizesTest {
  private static final List<String> MAPS =
      IntStream.range(0, SizesRequest.MOST_OUTPUTS)
          .mapToObj("attempt_1700000000000_0001_m_%06d_0"::formatted)
          .toList();
  private static final SizesRequest REQUEST = new SizesRequest("job_1700000000000_0001", 0, MAPS);

  private static List<OutputSize> read(byte[] body) throws IOException {
    return OutputSizes.read(new ByteArrayInputStream(body), REQUEST);
  }

  private static byte[] body(OutputSizeProto.Builder... sizes) {
    OutputSizesProto.Builder body = OutputSizesProto.newBuilder();
    for (OutputSizeProto.Builder size : sizes) {
      body.addOutputs(size);
    }
    return body.build().toByteArray();
  }

  private static OutputSizeProto.Builder size(int map) {
    return OutputSizeProto.newBuilder()
        .setAttempt(MAPS.get(map))
        .setPartLength(5)
        .setRawLength(9)
        .setTotalLength(7);
  }

  @Test
  void theLongestAnswerIsReadAsItWasWritten() throws IOException {
    List<OutputSize> sizes =
        MAPS.stream()
            .map(map -> new OutputSize(map, OutputSize.LARGEST, Long.MAX_VALUE, OutputSize.LARGEST))
            .toList();
    byte[] body = OutputSizes.write(sizes);

    assertThat(read(body)).isEqualTo(sizes);
    assertThat(body).hasSizeLessThan(OutputSizes.LONGEST / 4);
  }

  @Test
  void anAnswerMayLeaveOutputsOut() throws IOException {
    assertThat(read(new byte[0])).isEmpty();
    assertThat(read(body(size(9)))).containsExactly(new OutputSize(MAPS.get(9), 5, 9, 7));
  }

  @Test
  void sizesThatNobodyAskedForAreRefused() {
    assertThatIOException()
        .isThrownBy(() -> read(body(size(0).setAttempt("attempt_1700000000000_0001_m_000099_0"))));
    assertThatIOException().isThrownBy(() -> read(body(size(0), size(0))));
  }

  @Test
  void sizesThatCannotBeAreRefused() {
    assertThatIOException().isThrownBy(() -> read(body(size(0).setPartLength(8))));
    assertThatIOException().isThrownBy(() -> read(body(size(0).setPartLength(-1))));
    assertThatIOException().isThrownBy(() -> read(body(size(0).setRawLength(-1))));
    assertThatIOException()
        .isThrownBy(() -> read(body(size(0).setPartLength(-9).setTotalLength(-8))));
  }

  @Test
  void noOutputIsSoLargeThatSumsWouldBeWrong() {
    assertThatIOException()
        .isThrownBy(() -> read(body(size(0).setTotalLength(OutputSize.LARGEST + 1))));
    assertThatIOException()
        .isThrownBy(
            () -> read(body(size(0).setPartLength(Long.MAX_VALUE).setTotalLength(Long.MAX_VALUE))));
  }

  @Test
  void garbageIsRefused() {
    assertThatIOException()
        .isThrownBy(() -> read("<html>not here</html>".getBytes(StandardCharsets.UTF_8)));
    assertThatIOException()
        .isThrownBy(
            () ->
                read(
                    OutputSizesProto.newBuilder()
                        .addOutputs(
                            OutputSizeProto.newBuilder().setAttempt(MAPS.get(0)).buildPartial())
                        .buildPartial()
                        .toByteArray()));
  }

  @Test
  void noMoreThanAnAnswerIsEverRead() {
    ByteArrayInputStream body = new ByteArrayInputStream(new byte[10 * OutputSizes.LONGEST]);

    assertThatIOException()
        .isThrownBy(() -> OutputSizes.read(body, REQUEST))
        .withMessageContaining("more than");
    assertThat(body.available()).isEqualTo(9 * OutputSizes.LONGEST - 1);
  }
}
