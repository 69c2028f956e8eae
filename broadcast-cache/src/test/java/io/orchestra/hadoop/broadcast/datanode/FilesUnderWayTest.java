package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.datanode.FilesUnderWay.File;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FilesUnderWayTest {
  private static final File SMALL = new File("alice", 1);

  private final FilesUnderWay files = new FilesUnderWay(List::of, 100);

  @Test
  void halfOfThePlacesAreForOtherUsers() {
    for (int file = 0; file < 16; file++) {
      assertThat(files.isFull("alice")).isFalse();
      assertThat(files.take(SMALL)).isEmpty();
    }
    assertThat(files.isFull("alice")).isTrue();
    assertThat(files.take(SMALL)).contains(FilesUnderWay.TOO_MANY);

    for (int file = 0; file < 16; file++) {
      assertThat(files.take(new File("bob" + file, 1))).isEmpty();
    }
    assertThat(files.isFull("carol")).isTrue();
    files.giveBack(SMALL);
    assertThat(files.isFull("carol")).isFalse();
    assertThat(files.take(SMALL)).isEmpty();
  }

  @Test
  void theBytesOfOneUserAreLimitedAlsoWhileFilesAreBegun() {
    assertThat(files.take(new File("alice", 60))).isEmpty();
    File second = new File("alice", 41);
    assertThat(files.take(second)).contains(FilesUnderWay.TOO_MUCH);
    assertThat(files.limits(second)).contains("41 bytes").contains("share-per-user");
    assertThat(files.take(new File("bob", 41))).isEmpty();

    files.giveBack(new File("alice", 60));
    assertThat(files.take(second)).isEmpty();
  }
}
