package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.hdfs.server.blockmanagement.TestBlockTokenWithDFS;
import org.junit.AfterClass;

/** Hadoop's {@link TestBlockTokenWithDFS} with the block cache. */
public class BlockTokenWithDFSSuite extends TestBlockTokenWithDFS {

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verifyMost();
  }
}
