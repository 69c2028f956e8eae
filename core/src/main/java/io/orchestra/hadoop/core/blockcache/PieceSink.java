package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Takes bytes of a file to their reader, if it can without bringing them into this process. */
@FunctionalInterface
public interface PieceSink {
  /**
   * @throws IOException if not all {@code length} bytes were taken
   */
  void take(FileChannel file, long position, int length) throws IOException;
}
