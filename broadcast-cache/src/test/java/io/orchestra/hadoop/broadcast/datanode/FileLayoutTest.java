package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class FileLayoutTest {
  private static FileLayout layout(int pieceLength, List<Long> lengths) {
    List<BlockKey> keys = new ArrayList<>();
    for (int block = 0; block < lengths.size(); block++) {
      keys.add(new BlockKey("pool", block, 1));
    }
    return new FileLayout(keys, lengths, pieceLength);
  }

  @Test
  void cutsEachBlockByItself() {
    FileLayout layout = layout(10, List.of(25L, 20L, 3L));
    assertThat(layout.pieces()).isEqualTo(6);
    assertThat(layout.place(2)).isEqualTo(new FileLayout.Place(0, 2));
    assertThat(layout.length(2)).isEqualTo(5);
    assertThat(layout.place(3)).isEqualTo(new FileLayout.Place(1, 0));
    assertThat(layout.place(5)).isEqualTo(new FileLayout.Place(2, 0));
    assertThat(layout.length(5)).isEqualTo(3);
  }

  @Property
  void placesEveryPieceWhereItIsCounted(
      @ForAll @IntRange(min = 1, max = 50) int pieceLength,
      @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 300) Integer> lengths) {
    FileLayout layout = layout(pieceLength, lengths.stream().map(Integer::longValue).toList());
    long bytes = 0;
    for (int piece = 0; piece < layout.pieces(); piece++) {
      FileLayout.Place place = layout.place(piece);
      assertThat(layout.firstPiece(place.block()) + place.piece()).isEqualTo(piece);
      bytes += layout.length(piece);
    }
    assertThat(bytes).isEqualTo(lengths.stream().mapToLong(Integer::longValue).sum());
  }

  @Test
  void knowsNoPieceBeyondItsEnd() {
    FileLayout layout = layout(10, List.of(25L));
    assertThatThrownBy(() -> layout.place(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> layout.place(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
