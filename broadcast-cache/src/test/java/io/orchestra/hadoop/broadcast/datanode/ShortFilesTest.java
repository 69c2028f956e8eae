package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShortFilesTest {
  private static final long LIMIT = 8 << 20;

  private final ShortFiles files = new ShortFiles(LIMIT);

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 10_000, 1 << 20 | 1, LIMIT - 1})
  void aBlockOfAnyLengthThatIsShortIsAllOfItsFile(long length) {
    assertThat(files.contain(length)).isTrue();
  }

  /** Of files in blocks of 32 KiB, 1 MiB, 4 MiB, and of one that is long enough itself. */
  @ParameterizedTest
  @ValueSource(longs = {32 << 10, 1 << 20, 4 << 20, LIMIT, LIMIT + 1})
  void aBlockThatMayBeOneOfManyIsNot(long length) {
    assertThat(files.contain(length)).isFalse();
  }

  @Test
  void noFileOfSoManyBlocksAsMayComeIsLongIfTheyAreVeryShort() {
    assertThat(files.contain((32 << 10) - 512)).isTrue();
  }

  @Test
  void theTrackersLimitCountsIfItIsLess() {
    files.heed(JoinResponseProto.newBuilder().setMinFileSize(1000).build());
    assertThat(files.contain(1001)).isFalse();
    files.heed(JoinResponseProto.newBuilder().setMinFileSize(LIMIT * 2).build());
    assertThat(files.contain(LIMIT - 1)).isTrue();
    assertThat(files.contain(LIMIT)).isFalse();
  }
}
