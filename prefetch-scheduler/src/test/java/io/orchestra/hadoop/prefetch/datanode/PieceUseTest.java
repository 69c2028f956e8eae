package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.blockcache.BlockPieces;
import org.junit.jupiter.api.Test;

final class PieceUseTest {
  private final PieceUse use = new PieceUse(new BlockPieces(25, 10));

  @Test
  void onlyWhatWasBroughtAndReadIsUsedAndThatOnce() {
    use.brought(1);
    use.brought(2);
    use.read(0);
    use.read(1);
    use.read(1);

    assertThat(use.bytesBrought()).isEqualTo(15);
    assertThat(use.bytesUsed()).isEqualTo(10);
    assertThat(use.isRead()).isFalse();
  }

  @Test
  void aBlockIsReadWhenAllOfItIsWhoeverHasBroughtIt() {
    use.read(0);
    use.read(1);
    use.read(2);

    assertThat(use.isRead()).isTrue();
    assertThat(use.bytesUsed()).isZero();
  }
}
