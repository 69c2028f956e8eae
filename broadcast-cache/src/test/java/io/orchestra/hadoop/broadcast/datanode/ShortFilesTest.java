package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.ReadRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShortFilesTest {
  private static final long LIMIT = 8 << 20;

  private final ShortFiles files = new ShortFiles(LIMIT);

  private boolean contain(long visibleLength) {
    return files.contain(read(visibleLength, ReadRequest.Purpose.LOCALIZATION));
  }

  private static ReadRequest read(long visibleLength, ReadRequest.Purpose purpose) {
    return new ReadRequest(new BlockKey("pool", 1, 1), visibleLength, "/file", purpose, "alice");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 10_000, 1 << 20 | 1, LIMIT - 1})
  void aBlockOfAnyLengthThatIsShortIsAllOfItsFile(long length) {
    assertThat(contain(length)).isTrue();
  }

  /** Of files in blocks of 32 KiB, 1 MiB, 4 MiB, and of one that is long enough itself. */
  @ParameterizedTest
  @ValueSource(longs = {32 << 10, 1 << 20, 4 << 20, LIMIT, LIMIT + 1})
  void aBlockThatMayBeOneOfManyIsNot(long length) {
    assertThat(contain(length)).isFalse();
  }

  @Test
  void noFileOfSoManyBlocksAsMayComeIsLongIfTheyAreVeryShort() {
    assertThat(contain((32 << 10) - 512)).isTrue();
  }

  @Test
  void whereAReadOfAChosenPathEndsSaysNothingOfItsFile() {
    assertThat(files.contain(read(10_000, ReadRequest.Purpose.CHOSEN_PATH))).isFalse();
  }

  @Test
  void theTrackersLimitCountsIfItIsLess() {
    files.heed(JoinResponseProto.newBuilder().setMinFileSize(1000).build());
    assertThat(contain(1001)).isFalse();
    files.heed(JoinResponseProto.newBuilder().setMinFileSize(LIMIT * 2).build());
    assertThat(contain(LIMIT - 1)).isTrue();
    assertThat(contain(LIMIT)).isFalse();
  }
}
