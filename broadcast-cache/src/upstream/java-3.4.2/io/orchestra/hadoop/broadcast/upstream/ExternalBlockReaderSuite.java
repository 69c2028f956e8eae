package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.TestExternalBlockReader;
import org.junit.AfterClass;

/**
 * Hadoop's {@link TestExternalBlockReader} with the block cache, after an accessor that cannot be
 * loaded and after one that does not read short blocks.
 */
public class ExternalBlockReaderSuite extends TestExternalBlockReader {
  private static final int FILE_BEHIND_NONE = 2048;
  private static final int SHORT_BLOCK = 1023;

  static {
    Configuration.addDefaultResource("external-block-reader.xml");
  }

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verify(FILE_BEHIND_NONE + SHORT_BLOCK);
  }
}
