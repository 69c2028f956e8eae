package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InputBlocksTest {
  /** One that costs memory and threads, of which an application master has none to spare. */
  public static final class Costly extends RawLocalFileSystem {
    public Costly() {
      throw new AssertionError("was made");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"costly://host/file", "/file"})
  void noOtherFileSystemThanHdfsIsMade(String path) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.costly.impl", Costly.class.getName());
    conf.set("fs.defaultFS", "costly://host/");

    assertThat(
            InputBlocks.of(
                conf, List.of(new FileSplit(new Path(path), 0, 10, new String[] {"localhost"}))))
        .isEmpty();
  }
}
