package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailedSwarmsTest {
  private static final List<BlockKey> FILE = List.of(block(1), block(2));

  private long now;
  private final FailedSwarms failed =
      new FailedSwarms(
          new Ticker() {
            @Override
            public long read() {
              return now;
            }
          });

  private static BlockKey block(long id) {
    return new BlockKey("pool", id, 1);
  }

  private void pass(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void allBlocksOfAFileAreAvoidedForAMinute() {
    failed.failed(FILE, false);

    assertThat(failed.avoids(block(2))).isTrue();
    assertThat(failed.avoids(block(3))).isFalse();
    pass(61);
    assertThat(failed.avoids(block(2))).isFalse();
  }

  @Test
  void oneFileThatBroughtNothingHindersNoOther() {
    failed.failed(FILE, true);

    assertThat(failed.avoids(block(3))).isFalse();
  }

  @Test
  void whenSeveralBringNothingAllAreAvoidedForLongerEachTime() {
    failed.failed(FILE, true);
    failed.failed(FILE, true);
    assertThat(failed.avoids(block(3))).isTrue();
    pass(61);
    assertThat(failed.avoids(block(3))).isFalse();

    failed.failed(FILE, true);
    pass(61);
    assertThat(failed.avoids(block(3))).isTrue();
    pass(60);
    assertThat(failed.avoids(block(3))).isFalse();
  }

  @Test
  void aPieceThatComesEndsThePause() {
    failed.failed(FILE, true);
    failed.failed(FILE, true);

    failed.succeeded();

    assertThat(failed.avoids(block(3))).isFalse();
    failed.failed(FILE, true);
    assertThat(failed.avoids(block(3))).isFalse();
  }
}
